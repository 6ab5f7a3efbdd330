import { Bar } from '#ui/Bar.tsx'
import { Hint } from '#ui/DataTable.tsx'
import type { ChargingBudget } from '@gridmast/contract/charging/charging-budgets.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import type { CallFormOf } from '#lib/call-form.ts'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Grid, Note, Stack, Text } from '#ui/Layout.tsx'

/** Budgets of tags and their groups: what is spent of them, and the fields that set them. */

const stateInk = { within: 'fill', warned: 'warn', spent: 'down' } as const

export const SpentBar = ({ name, budget }: { name: string; budget: ChargingBudget }) => {
  if (!budget) return unknownText
  const { dkk, kwh, spentDkk, spentKwh, percent, state, kwhWithoutCost } = budget
  const amounts = [
    dkk && `${digits.dkk(spentDkk)} / ${format.dkk(dkk)}`,
    kwh && `${digits.kwhTotal(spentKwh)} / ${format.kwhTotal(kwh)}`,
  ]
    .filter(Boolean)
    .join(' · ')
  const unknown = dkk !== null && Number(kwhWithoutCost) > 0
  return (
    <Stack as="span" gap={4} style={{ display: 'inline-grid', minWidth: 150 }}>
      <Bar
        percent={percent}
        height={6}
        ink={stateInk[state]}
        track="line2"
        role="meter"
        aria-label={t('Budget of {{name}} spent this month', { name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${percent} %, ${amounts}`}
      />
      <span className="gm-num">
        {state === 'spent' ? t('Spent') : `${percent} %`} · {amounts}
        {unknown && (
          <>
            {' '}
            <Hint
              words={t('{{kwh}} kWh have no cost yet and are not included in DKK.', {
                kwh: digits.kwhTotal(kwhWithoutCost),
              })}
            >
              *
            </Hint>
          </>
        )}
      </span>
    </Stack>
  )
}

const warnPercentDefault = 80

export const budgetValues = (budget: ChargingBudget | undefined) => ({
  budgetDkk: budget?.dkk ?? null,
  budgetKwh: budget?.kwh ?? null,
  warnPercent: budget?.warnPercent ?? warnPercentDefault,
})

export const BudgetFields = ({ form: { decimal, number } }: { form: Pick<CallFormOf, 'decimal' | 'number'> }) => (
  <Text as="fieldset">
    <Text as="legend" weight="medium" below={4}>
      {t('Budget per month')}
    </Text>
    <Grid fill={160} gap={12} style={{ alignItems: 'start' }}>
      <DecimalField
        label={t('Amount')}
        unit="DKK"
        decimals={2}
        placeholder={t('No limit')}
        {...decimal('budgetDkk', null)}
      />
      <DecimalField
        label={t('Energy')}
        unit="kWh"
        decimals={2}
        placeholder={t('No limit')}
        {...decimal('budgetKwh', null)}
      />
      <DecimalField label={t('Warn at')} unit="%" decimals={0} {...number('warnPercent', warnPercentDefault)} />
    </Grid>
    <Note above={6}>
      {t(
        'When the budget is used, charging is blocked until month end and running sessions stop. Administrators are emailed.',
      )}
    </Note>
  </Text>
)
