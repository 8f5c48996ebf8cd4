package redact

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestShapesAreSorted(t *testing.T) {
	if !slices.IsSortedFunc(shapes[:], func(a, b shape) int { return strings.Compare(a.prefix, b.prefix) }) {
		for i := 1; i < len(shapes); i++ {
			if shapes[i-1].prefix >= shapes[i].prefix {
				t.Errorf("%q stands before %q", shapes[i-1].prefix, shapes[i].prefix)
			}
		}
	}
}

const pemKey = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\nhunter2hunter2\n-----END OPENSSH PRIVATE KEY-----"

// Secrets by the name they stand under. § is the secret; nothing of it may be left.
func TestSecretUnderANameIsMasked(t *testing.T) {
	for _, s := range []string{
		"password=§", "PASSWORD=§", "DB_PASSWORD=§ npm start", "export PGPASSWORD=§; psql -h db", "set telegram.token=§",
		"set telegram.token §", "PGPASSWORD='§ x' psql", `PGPASSWORD="a § b" psql`, `PASSWORD='it'\''s §' psql`, "PASSWORD=a'§ b'c psql",
		"MYSQL_PWD=§ mysql", "mysql -uroot -p§ shop", "/usr/bin/mysqldump --opt -p'§ x' shop", "mysql -p\"§\"", "sshpass -p § ssh x", "sshpass -p§ ssh x",
		"redis-cli -a § ping", "docker login -u me -p § registry", "curl -u me:§ https://x", "curl --user 'me:§' https://x", "curl -ume:§ https://x",
		"curl --user=me:§ x", "zip -P § a.zip b", "7z a -p§ x.7z", "openssl rsa -passin pass:§ -in k", "ldapsearch -x -w §", "smbclient -U me%§ //h/s",
		"tool --token §", "tool --token=§", "tool --api-key § --x", "tool -password §", "tool --secret '§'", `tool --client-secret "§"`,
		"git config github.token §", "setx API_KEY §", "npm config set //registry.npmjs.org/:_authToken §", "//registry.npmjs.org/:_authToken=§",
		"aws configure set aws_secret_access_key §", "kubectl create secret generic x --from-literal=password=§", "docker run -e PASSWORD=§ img",
		"java -Dspring.datasource.password=§ -jar a.jar", "heroku config:set SECRET_KEY_BASE=§",
		"Authorization: Bearer §", "authorization: Basic §==", "curl -H 'Authorization: Bearer §' x", `curl -H "Authorization: token §" x`,
		`curl -H "X-Api-Key: §" x`, "curl -H Authorization:\\ § x", "Proxy-Authorization: Digest username=\"u\", response=\"§\"",
		"Cookie: a=b; sid=§; c=d", "curl -b x -H 'Cookie: sid=§'", "Set-Cookie: sid=§; Path=/", "curl --cookie sid=§ x", "Bearer §2345678",
		`{"password":"§"}`, `{"password": "§", "user": "me"}`, `{'password': '§'}`, `{\"password\":\"§\"}`, `{\\\"password\\\":\\\"§\\\"}`,
		`{"passwords":["§","b"]}`, `{"tokens": ["§"]}`, "{\"password\":\n  \"§\"}", `{"apiKey":"§"}`, `{"client_secret" : "§"}`, `"githubToken"="§"`,
		`env["TOKEN"] = "§"`, `os.environ['API_TOKEN'] = '§'`, `$password = "§"`, `password := "§"`, `token == "§"`, `'secret' => '§',`, `a[token]=§`,
		`{"name":"DB_PASSWORD","value":"§"}`, "- name: DB_PASSWORD\n  value: §\n", `<add key="ApiKey" value="§" />`, `[{"name": "API_TOKEN", "value": "§"}]`,
		"password: §", "  - token: §", "password: correct horse § staple", "password: '§'", "token: \"§\"  # x", "private_key: |\n  abc\n\n  §\nnext: 1\n",
		"passwords:\n  - a b\n  - §\nnext: 1", "Server=db;User Id=sa;Password=§;", "Uid=x;Pwd=§;", "AccountKey=§==;EndpointSuffix=x",
		"<password>§</password>", "<ns:apiKey>§</ns:apiKey>", "https://x/?token=§&a=b", "https://x/?a=b&api_key=§#f", "https://x/p?sig=1&access_token=§",
		"CREATE USER x IDENTIFIED BY 'a' PASSWORD '§'", "ALTER ROLE x WITH PASSWORD '§';", "machine github.com login me password §",
		"ConvertTo-SecureString '§' -AsPlainText", "tool /password:§", "DB_PASS=§", `{"pass":"§"}`, "dbPass: §", "_auth=§", "SECRET_TOKEN2=§", "otp: §", "password = §",
		"PASSWORD=a\\ § x", "password=$§", "password=§,user=x", "Passwort: §", "https://u:§@host/x", "postgres://u:§@host:5432/db", "redis://:§@host", "https://u:a/§@host/x",
		"https://u:a@§@host/", "amqp://u:§@[::1]:5672", "login admin\npassword §", `--password="§"`, `["mysql","-p§"]`, `["tool","--token","§"]`,
		`["sshpass","-p","§"]`, `{"command":"export TOKEN=§ && run"}`, `bash -c "export TOKEN=§"`, `bash -c 'TOKEN="§ x" run'`, `TOKEN="${X:-§}"`,
	} {
		s = strings.ReplaceAll(s, "§", "hunter2")
		if got := Text(s); strings.Contains(got, "hunter2") || !strings.Contains(got, Mask) {
			t.Errorf("%q\n -> %q", s, got)
		}
	}
}

// A name that may be a secret's masks what looks like one, and nothing else.
func TestLooseNameMasksWhatLooksRandom(t *testing.T) {
	secret := "k7x2m9qp4w8z3v6b1n5c0d7f2g8h4j9l3r6t1y5u0i2o8a4s7e"
	for _, s := range []string{"AZURE_DEVOPS_EXT_PAT=§ az repos list", "export GITHUB_PAT=§", `{"githubPat":"§"}`, "SOME_KEY=§"} {
		if got := Text(strings.ReplaceAll(s, "§", secret)); strings.Contains(got, secret) || !strings.Contains(got, Mask) {
			t.Errorf("%q\n -> %q", s, got)
		}
		if s := strings.ReplaceAll(s, "§", "src/*.go"); Text(s) != s {
			t.Errorf("%q\n -> %q", s, Text(s))
		}
	}
}

// Secrets by their shape, in the places where they are found.
func TestSecretOfAKnownShapeIsMasked(t *testing.T) {
	rnd := "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2"
	for _, secret := range []string{
		"AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE", "ghp_" + rnd[:36], "gho_" + rnd[:36], "ghs_" + rnd[:36], "github_pat_" + rnd[:22] + "_" + rnd,
		"glpat-" + rnd[:20], "xoxb-123456789012-1234567890123-" + rnd[:24], "xoxp-1-2-3-" + rnd[:20], "xapp-1-A1-2-" + rnd[:20],
		"sk-ant-api03-" + rnd, "sk-" + rnd, "sk-proj-" + rnd, "sk-or-v1-" + rnd, "AIzaSy" + rnd[:33], "ya29." + rnd, "GOCSPX-" + rnd[:28],
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", "sk_live_" + rnd[:24], "rk_test_" + rnd[:24], "whsec_" + rnd[:32],
		"npm_" + rnd[:36], "pypi-AgEIcHlwaS5vcmc" + rnd, "hf_" + rnd[:34], "dop_v1_" + rnd, "SG." + rnd[:22] + "." + rnd[:43], "123456789:AA" + rnd[:33],
		"https://hooks.slack.com/services/T00000000/B00000000/" + rnd[:24], "hvs." + rnd[:24], "dckr_pat_" + rnd[:27], "AGE-SECRET-KEY-1QQPQQPQQPQQPQQPQQPQQPQQ",
		"LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo" + rnd, rnd[:40], rnd[:32], "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", rnd[:43] + "=",
	} {
		for _, place := range []string{"%s", "x %s y", "'%s'", `{"a":"%s"}`, "a=%s;b", "(%s)", "https://x/%s/y", "git push https://%s@github.com/x", "echo %s|cat", "\n%s\n"} {
			s := fmt.Sprintf(place, secret)
			want := strings.TrimPrefix(secret, "https://")
			if strings.Contains(want, "/") && strings.Contains(place, "/%s/") {
				continue // a token with slashes is a path in a path
			}
			if got := Text(s); strings.Contains(got, want) {
				t.Errorf("%q\n -> %q", s, got)
			}
		}
	}
	for _, place := range []string{"%s", "cat <<E\n%s\nE", `{"k":"%s"}`, "%s\nrest"} {
		s := fmt.Sprintf(place, pemKey)
		got := Text(s)
		if strings.Contains(got, "hunter2") || !strings.Contains(got, "BEGIN OPENSSH") {
			t.Errorf("%q -> %q", s, got)
		}
	}
	for _, s := range []string{strings.ReplaceAll(pemKey, "\n", `\n`), pemKey[:100]} {
		if got := Text(s); strings.Contains(got, "hunter2") || strings.Contains(got, "b3BlbnNz") {
			t.Errorf("%q -> %q", s, got)
		}
	}
}

// What is no secret stays as it is.
func TestNoFalseAlarm(t *testing.T) {
	for _, s := range []string{
		"", "git show 3f786850e387550fdab836ed7e6dc881de23001b", "550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-446655440000",
		"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "go.sum h1:K7MDENG4bPxRfiCYwJalrXUtnFEMIa1B2c3D4e5F6g7=",
		`"integrity": "sha512-K7MDENG4bPxRfiCYwJalrXUtnFEMIa1B2c3D4e5F6g7/bPxRfiCYwJalrXUtnFEMIa1B2c3D4e5F6g7K7MDE4bP=="`,
		"/home/dev/shop/internal/agent/claude/testdata/2.1.332/PreToolUse.Bash.json", "C:\\Users\\dev\\AppData\\Local\\hookspan",
		"rm -rf /home/dev/shop", "max_tokens=100", `{"max_tokens":4096,"input_tokens":12,"tokens":{"input":1}}`, "tokens: 1234", "token_count: 5", "TOKEN_FILE=/run/secrets/x",
		"password_file: /run/x", "tokenizer.json", "tokenizer: bpe", "author=me", "the password is wrong", "invalid token", "unexpected token } in JSON", "compass: north",
		"PWD=/home/dev", "OLDPWD=/home", "TOKEN=$TOKEN run", "password: ${{ secrets.PW }}", "token=${TOKEN}", `"password": process.env.PW`, "--token $(gh auth token)",
		"password: string", "token: null", "secret=true", "password = getPassword()", "const token = await next(1)", "token := lexer.Next()", "Token::new(1)", "token://x",
		"https://example.com:8080/a@b", "http://[::1]:8080/@x", "ssh git@github.com:org/repo.git", "git clone https://github.com/o/r", "https://me@host/x", "mailto:a@b.c",
		"--- PASS: TestFoo (0.00s)", "PASS: TestTotal", "mkdir -p a/b", "docker run -p 8080:80 -u 1000:1000 x", "mysql -p shop", "sk-learn-pipeline-example-with-words", "task-force-one",
		"TestHandlerReturnsAllowWhenManifestIsTrusted2AndNothingElse", "toolu_01A2b3C4d5E6f7G8h9J0k1L2m3", "chatcmpl-A2b3C4d5E6f7G8h9J0k1L2m3n4P5q6",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGa1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0 me@x", "AAAAB3NzaC1yc2E" + strings.Repeat("a1B2c3", 50),
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk", "data:image/png;base64," + strings.Repeat("iVBORw0KGgoA4NS1hEUg", 30),
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\nRTESMBAGA1UEChMJQmFsdGltb3JlMRMwEQYDVQQLEwpDeWJlclRydXN0MSIwIAYD\n-----END CERTIFICATE-----",
		strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA5AEAAAABCAYA7fFcSJAADUlEQVR42mNkYPhfDwAC\n", 4) + "iVBORw0KGgoAAAANSUhEUgAA5AEAAAABCAYA\n",
		"AKIAIOSFODNN7EXAMPLELONGER", "DISCOVERING_CAPITALS_ASIAN", "cache_key=node-modules-v1-abcdef0123", "PRIMARY_KEY=id", `{"key":"Enter"}`, "key=value", "keys: 12",
		"pass: 12", `{"pass": 12, "fail": 0}`, "git commit -m 'token handling'", "grep -rn password .", "SELECT password FROM users", "password, token", "eyJ is how they begin",
		"curl -u $USER:$PASS x", "kubectl get secret foo", "password?", "<password>", "secrets: {", "--password-stdin", "cookie_jar=/x", "tokens per second: 5",
	} {
		if got := Text(s); got != s {
			t.Errorf("%q\n -> %q", s, got)
		}
	}
}

func TestJSONIsMaskedByKeyAndKeepsItsShape(t *testing.T) {
	for _, c := range [][2]string{
		{`{"a":1,"password":"x","b":[1,2]}`, `{"a":1,"password":"[masked]","b":[1,2]}`},
		{`{ "Authorization" : "Bearer x" }`, `{ "Authorization" : "[masked]" }`},
		{`{"password":123456,"pin":1.50}`, `{"password":"[masked]","pin":1.50}`},
		{`{"credentials":{"user":"me","list":["a",7,true,null]}}`, `{"credentials":{"user":"[masked]","list":["[masked]","[masked]",true,null]}}`},
		{`{"usage":{"tokens":12,"max_tokens":3},"tokens":{"input":5}}`, `{"usage":{"tokens":12,"max_tokens":3},"tokens":{"input":5}}`},
		{`{"tokens":["abc",5]}`, `{"tokens":["[masked]",5]}`},
		{`{"command":"export TOKEN=x\u0041y && ls"}`, `{"command":"export TOKEN=[masked] && ls"}`},
		{`{"args":"{\"password\":\"x\"}"}`, `{"args":"{\"password\":\"[masked]\"}"}`},
		{`{"name":"DB_PASSWORD","value":"x"}`, `{"name":"DB_PASSWORD","value":"[masked]"}`},
		{`{"ghp_a1B2c3D4e5F6g7H8i9J0k1L2":1,"ghp_b1B2c3D4e5F6g7H8i9J0k1L2":2,"[masked]#1":3}`, `{"[masked]#2":1,"[masked]#3":2,"[masked]#1":3}`},
		{`{"session_id":"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6","x":"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"}`, `{"session_id":"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6","x":"[masked]"}`},
		{`{"token":"","secret":null,"password":false}`, `{"token":"","secret":null,"password":false}`},
		{`"password=x"`, `"password=[masked]"`},
		{"{\n  \"token\": \"x\",\n  \"n\": 1e5\n}", "{\n  \"token\": \"[masked]\",\n  \"n\": 1e5\n}"},
		{`not json, password=x`, `not json, password=[masked]`},
		{``, ``}, {`{}`, `{}`}, {`[]`, `[]`}, {` null `, ` null `},
	} {
		if got := string(JSON([]byte(c[0]))); got != c[1] {
			t.Errorf("%s\n -> %s\nwant %s", c[0], got, c[1])
		}
	}
}

func TestFindNamesTheIssuer(t *testing.T) {
	for s, want := range map[string]string{
		"x AKIAIOSFODNN7EXAMPLE": "aws", "ghp_a1B2c3D4e5F6g7H8i9J0k1L2": "github", pemKey: "private-key", "nothing": "", "": "",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc": "jwt",
	} {
		if kind, from, to := Find(s); kind != want || (from < to) != (want != "") {
			t.Errorf("Find(%q) = %q %d %d, want %q", s, kind, from, to, want)
		}
	}
}
