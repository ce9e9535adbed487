/** What text needs on its ground (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5

/** Whether white text on this colour, and text in it on white, can be read. `#rrggbb`. */
export const isReadable = (colour: string): boolean => 1.05 / (luminance(colour) + 0.05) >= LEAST_CONTRAST

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
