import { part } from '#lib/part.tsx'

export const loadShiftingTabs = {
  backtest: part(async () => (await import('./BacktestTab.tsx')).BacktestTab),
}
