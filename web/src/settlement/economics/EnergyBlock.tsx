import type { Settlement } from '@gridmast/contract/settlement/economics.ts'
import { sumDecimals } from '@gridmast/contract/numbers.ts'
import { digits, format } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { slotLabel } from '#ui/Chart/shape.ts'
import { energyWords, type Formula, noEnergyWords, sourceWords } from './economics-words.ts'
import { Note, Stack, SubSection, Text } from '#ui/Layout.tsx'
import classes from './economics.module.css'

type Props = { row: Settlement; formula: Formula }

export const EnergyBlock = ({ row, formula }: Props) => {
  const { energy, energyEur } = formula
  return (
    <SubSection
      aria-label={t('Energy')}
      title={[t('Energy'), energy.state === 'known' && format.eur(energyEur)].filter(Boolean).join(' · ')}
      gap={6}
    >
      {whyNot(row, formula).map((words) => (
        <Note key={words} ink={energy.state === 'unknown' ? 'warn' : 'ink1'}>
          {words}
        </Note>
      ))}
      {energy.quarters.length > 0 && (
        // A scrolling region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={classes.quarters} tabIndex={0} role="region" aria-label={t('Quarters of an hour')}>
          <ul className={classes.lines}>
            {energy.quarters.map((quarter) => (
              <li key={quarter.start}>
                <span>{slotLabel(Date.parse(quarter.start), Date.parse(quarter.end))}</span>
                <Stack as="span">
                  {energyWords(quarter)}
                  {[quarter.upSource, quarter.downSource].map(
                    (source, i) =>
                      source && (
                        <Text as="small" ink="ink3" key={i === 0 ? 'up' : 'down'}>
                          {sourceWords(source)}
                        </Text>
                      ),
                  )}
                </Stack>
              </li>
            ))}
          </ul>
        </div>
      )}
    </SubSection>
  )
}

const whyNot = ({ type, isResultFetched, modalData }: Settlement, { energy }: Formula): string[] => {
  const noBid =
    modalData.energyStatus.status === 'inactive'
      ? [t('The energy bid has not been placed yet. Please check back later')]
      : []
  const unpriced = energy.quarters.filter(({ eur }) => eur === null).length
  switch (energy.state) {
    case 'none':
      return [noEnergyWords(type)]
    case 'open':
      return [...noBid, t('The day is not over yet, so its energy is unknown.')]
    case 'unknown':
      return [
        ...noBid,
        ...(isResultFetched ? [] : [t('The results have not been published yet')]),
        ...(unpriced > 0 ? [t('Quarters of an hour without a published price: {{n}}', { n: unpriced })] : []),
        ...(energy.unmeasuredQuarters > 0
          ? [t('Quarters of an hour sold without a measured set point: {{n}}', { n: energy.unmeasuredQuarters })]
          : []),
      ]
    case 'known':
      return energy.quarters.length === 0
        ? [...noBid, t('No energy was requested.')]
        : [
            t('{{mwh}} MWh up, {{down}} MWh down; in addition to the gross, not shared.', {
              mwh: digits.mwh(sumDecimals(energy.quarters.map(({ upMwh }) => upMwh))),
              down: digits.mwh(sumDecimals(energy.quarters.map(({ downMwh }) => downMwh))),
            }),
          ]
  }
}
