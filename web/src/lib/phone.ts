import { limits } from '@gridmast/contract/limits.ts'
import { useMediaQuery } from '@mantine/hooks'

/** Known at the first render: a change from a wide to a narrow layout would jump. */
export const usePhone = (): boolean =>
  useMediaQuery('(max-width: 639px)', undefined, { getInitialValueInEffect: false }) ?? false

const phonePageSize = 10

/** Rows per page of a list: at most ten cards on a phone. */
export const usePageSize = (wide: number = limits.pageSize): number =>
  usePhone() ? Math.min(wide, phonePageSize) : wide
