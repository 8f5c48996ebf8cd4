// A stand-in for Pi: loads a bridge, plays the steps that it reads from stdin, and prints what became of
// them. A step is {"event","ctx"} (a handler is called), {"sleep":ms}, {"until":n} (so often the program was
// started), {"abort":ms} (ctx.signal fires then) or {"broken":host} (load with another host).
// With "spoiled" another extension has taken what bridges share.
// usage: node host.mjs BRIDGE MODE
import { readdirSync, readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const { steps, entries = [], confirm = true, twice, spoiled, cwd } = JSON.parse(readFileSync(0, "utf8"))
const mode = process.argv[3]
const asked = []
const note = (name, data) => (...args) => (asked.push({ name, args: args.filter((a) => a && !(a.signal && Object.keys(a).length === 1)) }), data)
let handlers = {}
const pi = { on: (event, f) => (event === "no_such_event" ? fail() : (handlers[event] ??= []).push(f)), sendMessage: note("sendMessage") }
let stop = new AbortController()
const ctx = {
  cwd, mode, hasUI: mode === "tui", model: { id: "m1", provider: "p" },
  ui: { notify: note("notify"), confirm: async (...args) => note("confirm", confirm)(...args) },
  sessionManager: { getSessionId: () => "ses_1", getSessionFile: () => undefined, getLeafId: () => "leaf1", getEntries: () => entries },
  isProjectTrusted: () => true,
  abort: note("abort"),
  get signal() {
    return stop.signal
  },
}

function fail() {
  throw new Error("unknown event")
}

/** dress turns words of the steps into what JSON cannot say. */
function dress(value) {
  if (value === "@cycle") return ((o) => ((o.self = o), o))({ name: "cycle" })
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
  const started = () => readdirSync(cwd).filter((name) => /^got-[0-9-]+$/.test(name)).length
  for (let i = 0; i < 300 && started() < n; i++) await sleep(50)
  await sleep(300) // for its answer
}

/** emit calls the handlers one after another; each sees what the one before has changed. */
async function emit(event, ctx) {
  const own = ["input", "agent_before_settle"].includes(event.type)
  let output
  for (const f of handlers[event.type] ?? []) {
    const out = await f(own ? { ...event } : event, ctx)
    if (!out) continue
    output = out
    Object.assign(event, out)
    if (out.block || out.action === "handled") break
  }
  return output
}

if (spoiled) globalThis[Symbol.for("hookspan.pi")] = {}
const module = await import(pathToFileURL(process.argv[2]).href)
await module.default(pi)
if (twice) await module.default(pi) // as the registrations of two scopes
const results = []
for (const step of steps.map(dress)) {
  const result = {}
  try {
    if (step.sleep) await sleep(step.sleep)
    else if (step.until) await until(step.until)
    else if (step.abort) setTimeout(() => stop.abort(), step.abort)
    else if ("broken" in step) await module.default(step.broken)
    else if (handlers[step.event.type]) result.output = await emit(step.event, { __proto__: ctx, ...step.ctx })
    else result.error = "no handler"
  } catch (error) {
    result.error = String(error?.message ?? error)
  }
  if (step.event?.input) result.input = step.event.input
  results.push(result)
}
await emit({ type: "session_shutdown", reason: "quit" }, ctx)
const print = (key, v) => (typeof v === "bigint" ? String(v) : key === "self" ? undefined : v)
console.log(JSON.stringify({ exports: Object.keys(module), handlers: Object.keys(handlers), results, asked }, print))
