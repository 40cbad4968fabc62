/**
 * Script for pages under test. `findLowContrast()` returns a sentence for each pair of colours of text and background whose
 * contrast is below WCAG 2.2 (1.4.3): 4.5, or 3 for large text. Its cost is a tenth of the same rule of axe-core, which
 * also looks at what covers a text. Text over a background image is not judged.
 */
globalThis.findLowContrast = () => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const known = new Map()
  /** Returns red, green, blue and opacity of a CSS colour, each from 0 to 1. */
  const parse = colour => {
    if (!known.has(colour)) {
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
      known.set(
        colour,
        [...context.getImageData(0, 0, 1, 1).data].map(part => part / 255),
      )
    }
    return known.get(colour)
  }
  const blend = ([red, green, blue, opacity], below) =>
    [red, green, blue].map((part, i) => part * opacity + below[i] * (1 - opacity))
  const luminance = colour => {
    const [red, green, blue] = colour.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const canvas = parse(getComputedStyle(document.documentElement).backgroundColor)
  const grounds = new Map()
  /** Returns the colour behind the text of an element; undefined over an image. */
  const groundOf = element => {
    if (element === null) return canvas[3] === 1 ? canvas.slice(0, 3) : [1, 1, 1]
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage } = getComputedStyle(element)
      const own = parse(backgroundColor)
      const below = own[3] === 1 ? own.slice(0, 3) : groundOf(element.parentElement)
      grounds.set(element, backgroundImage === 'none' && below ? blend(own, below) : undefined)
    }
    return grounds.get(element)
  }
  const found = new Map()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (node.data.trim() === '' || !element.checkVisibility({ visibilityProperty: true })) continue
    if (element.closest('option, :disabled, script, style')) continue
    const style = getComputedStyle(element)
    const ground = groundOf(element)
    if (!ground) continue
    const ink = parse(element instanceof SVGElement ? style.fill : style.color)
    const [a, b] = [luminance(blend(ink, ground)), luminance(ground)]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (contrast >= (isLarge ? 3 : 4.5)) continue
    const pair = `${style.color} on ${ground.map(part => Math.round(part * 255))}`
    if (!found.has(pair))
      found.set(pair, `contrast ${contrast.toFixed(2)} of ${pair}: "${node.data.trim().slice(0, 40)}"`)
  }
  return [...found.values()]
}
