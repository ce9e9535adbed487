import {
  createTheme,
  defaultVariantColorsResolver,
  InputWrapper,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

const petrol: MantineColorsTuple = [
  '#e9f4f7',
  '#d2e6ec',
  '#a6cfda',
  '#7fc0d1',
  '#4f9eb4',
  '#2f889f',
  '#187389',
  '#0b5d72',
  '#094c5e',
  '#063846',
]

/**
 * What Mantine must know in script; every colour of the screens is a variable of styles/tokens.css.
 * web/build.ts writes this theme's variables into the style sheet, since the Content-Security-Policy
 * allows no style element made by a script.
 */
export const theme = createTheme({
  colors: { petrol },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 3 },
  variantColorResolver: colours,
  fontFamily: "'IBM Plex Sans', system-ui, sans-serif",
  fontFamilyMonospace: "'IBM Plex Mono', ui-monospace, monospace",
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  fontWeights: { medium: '600' },
  shadows: { md: 'var(--shadow)', xl: 'var(--shadow)' },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Hints below, so that the fields of a row stand on one line.
    InputWrapper: InputWrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
  },
})

/** Filled is the accent with its own ink: Mantine would pick one ink for both schemes. */
function colours(input: Parameters<VariantColorsResolver>[0]): ReturnType<VariantColorsResolver> {
  const found = defaultVariantColorsResolver(input)
  if (input.variant !== 'filled' || (input.color ?? 'petrol') !== 'petrol') return found
  return { ...found, background: 'var(--accent)', hover: 'var(--accent-hover)', color: 'var(--accent-ink)' }
}
