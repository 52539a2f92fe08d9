// Loaded before the server by `--import`: its clocks begin ahead, so that leases of a dead life are over at once, and run
// fast, because what a process has known of for a second is a second old, whatever any clock says.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const SPEED = 20
const realNow = Date.now
const begunAt = realNow()
Date.now = () => begunAt + aheadMs + (realNow() - begunAt) * SPEED
const realElapsedMs = performance.now.bind(performance)
const begunMs = realElapsedMs()
performance.now = () => begunMs + (realElapsedMs() - begunMs) * SPEED
