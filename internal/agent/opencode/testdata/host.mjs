// A stand-in for OpenCode: loads a bridge, plays the steps that it reads from stdin, and prints what
// became of them. With "spoiled" another plugin has taken what bridges share, with "bare" the client is empty. A step is {"hook","input","output"}, {"event"}, {"sleep":ms}, {"until":n} (so often the
// program was started), {"load"} (once more) or {"broken":host} (load with another host).
// usage: node host.mjs BRIDGE MODE
import { readdirSync, readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const { steps, sessions = {}, mcp = {}, directory, second, spoiled, bare } = JSON.parse(readFileSync(0, "utf8"))
const asked = []
const note = (name, data) => async (arg) => (asked.push({ name, ...arg }), { data: typeof data === "function" ? data(arg) : data })
const client = {
  app: { log: note("log") },
  tui: { showToast: note("toast") },
  mcp: { status: async () => ({ data: mcp }) },
  session: {
    get: async (arg) => ({ data: sessions[arg.path.id] }),
    abort: note("abort"),
    prompt: note("prompt"),
    promptAsync: note("promptAsync"),
  },
  postSessionIdPermissionsPermissionId: note("permission"),
  _client: { post: note("reply") },
}
const host = { client: bare ? {} : client, directory, worktree: directory }
if (spoiled) globalThis[Symbol.for("hookspan.opencode")] = {}
const module = await import(pathToFileURL(process.argv[2]).href)
const hooks = await module.Hookspan(host)
const plugins = [hooks]
if (second) plugins.push(await (await import(pathToFileURL(second).href)).Hookspan(host))
const results = []

/** dress turns words of the steps into what JSON cannot say. */
function dress(value) {
  if (value === "@cycle") return (() => ((o) => ((o.self = o), o))({ name: "cycle" }))()
  if (value === "@bigint") return 12345678901234567890n
  if (value === "@function") return () => 1
  if (value === "@signal") return new AbortController().signal
  if (value === "@bytes") return new Uint8Array([1, 2, 3])
  if (value === "@data") return "data:image/png;base64," + "A".repeat(200000)
  if (value && typeof value === "object") for (const k of Object.keys(value)) value[k] = dress(value[k])
  return value
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(n) {
  const started = () => readdirSync(directory).filter((name) => /^got-[0-9-]+$/.test(name)).length
  for (let i = 0; i < 300 && started() < n; i++) await sleep(50)
  await sleep(300) // for its answer
}

for (const step of steps.map(dress)) {
  const result = {}
  try {
    if (step.sleep) await sleep(step.sleep)
    else if (step.until) await until(step.until)
    else if (step.load) result.hooks = Object.keys(await module.Hookspan(host))
    else if ("broken" in step) result.hooks = Object.keys(await module.Hookspan(step.broken))
    else if (step.event) for (const p of plugins) p.event({ event: step.event }) // OpenCode does not wait
    else for (const p of plugins) await p[step.hook](step.input, step.output)
  } catch (error) {
    result.error = String(error?.message ?? error)
  }
  if (step.output) result.output = step.output
  results.push(result)
}
for (const p of plugins) await p.dispose?.()
const print = (key, v) => (typeof v === "bigint" ? String(v) : key === "self" ? undefined : v)
console.log(JSON.stringify({ exports: Object.keys(module), hooks: Object.keys(hooks), results, asked }, print))
