/** Maximum number of steps of an axis. */
const maxSteps = 4

/** Returns the marks of an axis from 0 to at least `max`, in steps of 1, 2 or 5 times a power of ten. */
export function axisMarks(max: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(max, 1) / maxSteps))
  const step = Math.max(1, [1, 2, 5, 10].map(factor => factor * power).find(size => size * maxSteps >= max)!)
  const count = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}
