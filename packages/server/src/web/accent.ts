import { lightenFor } from '../kit/contrast.ts'

/** Background colours of cards in the stylesheet, on which links must be readable. */
const darkGround = '#141f26'
const minContrast = 5.5

/** Returns the rules that give links and buttons the operator's colour; dark pages use a lighter tone of it. */
export const accentStyle = (accent: string): string => {
  const light = lightenFor(accent, darkGround, minContrast)
  return `:root {
  --accent: light-dark(${accent}, ${light});
  --accent-ink: light-dark(#ffffff, #0d151a);
  --accent-wash: light-dark(color-mix(in oklab, ${accent} 10%, #ffffff), color-mix(in oklab, ${light} 18%, #0d151a));
}
`
}
