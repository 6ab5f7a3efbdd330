import {
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
  createTheme,
  defaultVariantColorsResolver,
} from '@mantine/core'
import { createStore } from '#lib/store.ts'
import { customerColours, defaultPrimary } from './customer-colours.ts'
import { neutral } from './tokens.ts'

export const primaryStore = createStore(defaultPrimary)

/** Of a page with its own scheme, whatever the theme of the device. */
export const forcedScheme = createStore<'light' | 'dark' | null>(null)

/** Messages are below the field. */
const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif"

const variants: VariantColorsResolver = (input) => {
  const danger = input.color === 'red'
  const plain = { border: '1px solid transparent' }
  switch (input.variant) {
    case 'filled':
      return danger
        ? { ...plain, background: 'var(--gm-down)', hover: 'var(--gm-down)', color: 'var(--gm-on-down)' }
        : { ...plain, background: 'var(--gm-fill)', hover: 'var(--gm-fill-hover)', color: 'var(--gm-on-fill)' }
    case 'default':
      return {
        background: 'var(--gm-card)',
        hover: 'var(--gm-hover)',
        color: 'var(--gm-ink1)',
        border: '1px solid var(--gm-line2)',
      }
    case 'light':
      return { ...plain, background: 'var(--gm-tint)', hover: 'var(--gm-tint)', color: 'var(--gm-link)' }
    case 'subtle':
      return { ...plain, background: 'transparent', hover: 'var(--gm-hover-here)', color: 'var(--gm-ink2)' }
    default:
      return defaultVariantColorsResolver(input)
  }
}

export const themeOf = (primary: string) => {
  const { shades, primaryShade } = customerColours(primary)
  const brand: MantineColorsTuple = shades
  return createTheme({
    fontFamily,
    headings: { fontFamily, fontWeight: '600' },
    colors: { brand },
    primaryColor: 'brand',
    // the position of the exact hex in the ladder, 0 to 9
    primaryShade: { light: primaryShade as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9, dark: 4 },
    autoContrast: false,
    defaultRadius: 8,
    focusRing: 'auto',
    cursorType: 'pointer',
    respectReducedMotion: true,
    variantColorResolver: variants,
    breakpoints: { xs: '40em', sm: '40em', md: '64em', lg: '90em', xl: '110em' },
    fontSizes: { xs: '11.5px', sm: '13px', md: '13px', lg: '15px', xl: '18px' },
    lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '20px', xl: '24px' },
    spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '24px' },
    radius: { xs: '6px', sm: '8px', md: '8px', lg: '12px', xl: '14px' },
    components: {
      Button: { defaultProps: { size: 'sm' } },
      ActionIcon: { defaultProps: { variant: 'subtle', size: 28 } },
      TextInput: { defaultProps: { size: 'sm', inputWrapperOrder: order } },
      PasswordInput: { defaultProps: { size: 'sm', inputWrapperOrder: order } },
      TagsInput: { defaultProps: { size: 'sm', inputWrapperOrder: order } },
      Select: { defaultProps: { size: 'sm', inputWrapperOrder: order, allowDeselect: false } },
      Modal: { defaultProps: { radius: 14, size: 440, transitionProps: { duration: 180 } } },
      // Their default element would be a second banner of the page.
      ModalHeader: { defaultProps: { component: 'div' } },
      DrawerHeader: { defaultProps: { component: 'div' } },
      Popover: { defaultProps: { shadow: 'overlay', transitionProps: { duration: 120 } } },
      Checkbox: { defaultProps: { size: 'xs', radius: 5 } },
    },
  })
}

const named = (tokens: Record<string, string>) =>
  Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--gm-${name}`, value]))

const mapped = {
  '--mantine-color-body': 'var(--gm-page)',
  '--mantine-color-text': 'var(--gm-ink1)',
  '--mantine-color-dimmed': 'var(--gm-ink3)',
  '--mantine-color-placeholder': 'var(--gm-ink3)',
  '--mantine-color-anchor': 'var(--gm-link)',
  '--mantine-color-error': 'var(--gm-down)',
  '--mantine-color-default': 'var(--gm-card)',
  '--mantine-color-default-hover': 'var(--gm-hover)',
  '--mantine-color-default-color': 'var(--gm-ink1)',
  '--mantine-color-default-border': 'var(--gm-line2)',
  '--mantine-color-disabled': 'var(--gm-sub)',
  '--mantine-color-disabled-color': 'var(--gm-ink3)',
  '--mantine-color-disabled-border': 'var(--gm-line2)',
  '--mantine-primary-color-filled': 'var(--gm-fill)',
  '--mantine-primary-color-filled-hover': 'var(--gm-fill-hover)',
  '--mantine-primary-color-light': 'var(--gm-tint)',
  '--mantine-primary-color-light-hover': 'var(--gm-tint)',
  '--mantine-primary-color-light-color': 'var(--gm-link)',
  '--mantine-primary-color-contrast': 'var(--gm-on-fill)',
  '--mantine-color-brand-filled': 'var(--gm-fill)',
  '--mantine-color-brand-light': 'var(--gm-tint)',
}

export const variablesOf =
  (primary: string): CSSVariablesResolver =>
  () => {
    const { light, dark, shades, primaryShade } = customerColours(primary)
    const scheme = (colours: typeof light) =>
      named({
        fill: colours.fill,
        'on-fill': colours.onFill,
        'fill-hover': colours.fillHover,
        link: colours.link,
        ring: colours.ring,
        tint: colours.tint,
        data1: colours.data,
      })
    return {
      variables: {
        '--mantine-shadow-overlay': 'var(--gm-shadow-overlay)',
        // The customer's own hex in both schemes, for its logo tile.
        '--gm-brand': shades[primaryShade] ?? light.fill,
        '--gm-on-brand': light.onFill,
      },
      light: { ...named(neutral.light), ...scheme(light), ...mapped },
      dark: { ...named(neutral.dark), ...scheme(dark), ...mapped },
    }
  }
