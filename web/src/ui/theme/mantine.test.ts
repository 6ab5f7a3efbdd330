import { expect, test } from 'vitest'

const styles = import.meta.glob('/../node_modules/@mantine/core/styles/*.layer.css', { exhaustive: true })
const sources = import.meta.glob<string>('/src/**/*.tsx', { query: '?raw', import: 'default', eager: true })

const loaded = Object.values(
  import.meta.glob<string>('./mantine*.ts', { query: '?raw', import: 'default', eager: true }),
).join('\n')

test('each part of Mantine that a screen uses has its styles', () => {
  const used = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names]) =>
      (names ?? '').split(/[\s,]+/),
    ),
  )
  const files = Object.keys(styles)
  const styled = new Set(used.filter((name) => files.some((file) => file.endsWith(`/${name}.layer.css`))))
  expect(styled.size).toBeGreaterThan(15)
  expect([...styled].filter((name) => !loaded.includes(`/${name}.layer.css'`))).toEqual([])
})
