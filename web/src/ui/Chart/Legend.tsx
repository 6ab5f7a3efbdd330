import classes from './Chart.module.css'
import type { PaletteIndex } from './model.ts'
import { usePalette } from './palette.ts'

type LegendKey = {
  name: string
  colour: PaletteIndex | 'ink2'
  line?: boolean | undefined
  dashed?: boolean
  /** Hexadecimal opacity, as in the chart. */
  alpha?: '47' | '66'
}

export type LegendKeys = readonly (LegendKey | false | undefined)[]

export const Legend = ({ keys }: { keys: LegendKeys }) => {
  const palette = usePalette()
  return (
    <div className={classes.legend}>
      {keys.map((key) => {
        if (!key) return null
        const { name, colour, line, dashed, alpha = '' } = key
        const color = (colour === 'ink2' ? palette.ink2 : palette.data(colour)) + alpha
        return (
          <span key={name}>
            <i
              className={line ? classes.legendLine : classes.swatch}
              data-dashed={dashed || undefined}
              style={line ? { borderColor: color } : { background: color }}
            />
            {name}
          </span>
        )
      })}
    </div>
  )
}
