import { formatNumber } from '@gridmast/contract/numbers.ts'

export const money = (amount: string | null | undefined): string => formatNumber(amount, { decimals: 2 })

export const megawatts = (mw: string | null | undefined): string => formatNumber(mw, { decimals: 3, minDecimals: 0 })
