package state

// saidMax bounds a text that is kept for comparison, in bytes.
const saidMax = 64 << 10

// Say keeps what was said to the agent under a name, in place of what was kept before. It is for
// recognising our own words when they come back as somebody else's.
func (n *Session) Say(name, text string) error {
	if len(text) > saidMax {
		text = text[:saidMax]
	}
	return n.store.replace(n.path("said."+hashed(name)), []byte(text), 0o600)
}

// Said returns what Say kept under a name, "" if nothing is.
func (n *Session) Said(name string) string {
	b, _, err := n.store.read(n.path("said."+hashed(name)), saidMax)
	if err != nil {
		return ""
	}
	return string(b)
}
