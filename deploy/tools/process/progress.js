const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const redrawMs = 120
/** Interval of the ticks without a terminal, ms. The first three print a line, and then only every fourth one. */
const quietMs = 5_000

/**
 * Shows what the user is waiting for: an animated line on a terminal, a line every few seconds elsewhere. Plain
 * JavaScript, because it also runs before packages are installed. Types: progress.d.ts.
 */
export function createProgress(out = process.stdout) {
  const running = new Map()
  let timer
  let tick = 0

  const clear = () => out.isTTY && out.write('\r\u001B[2K')
  const draw = () => {
    if (running.size === 0) return
    const waiting = [...running].map(([name, since]) => `${name} (${Math.floor(Number(seconds(since)))} s)`).join(', ')
    if (out.isTTY)
      out.write(`\r\u001B[2K  ${frames[tick % frames.length]} ${waiting}`.slice(0, (out.columns || 80) + 5))
    else if (tick < 3 || tick % 4 === 3) out.write(`  … ${waiting}\n`)
    tick += 1
  }
  const finish = (name) => {
    running.delete(name)
    if (running.size > 0) return
    clearInterval(timer)
    timer = undefined
    tick = 0
  }
  const print = (line) => {
    clear()
    out.write(`${line}\n`)
    if (out.isTTY) draw()
  }

  return {
    print,
    async step(name, work) {
      const since = performance.now()
      running.set(name, since)
      timer ??= setInterval(draw, out.isTTY ? redrawMs : quietMs)
      try {
        const result = await work()
        finish(name)
        print(`  ✓ ${name}  ${seconds(since)} s`)
        return result
      } catch (error) {
        finish(name)
        print(`  ✗ ${name}  ${seconds(since)} s`)
        throw error
      }
    },
  }
}

function seconds(since) {
  return ((performance.now() - since) / 1_000).toFixed(1)
}
