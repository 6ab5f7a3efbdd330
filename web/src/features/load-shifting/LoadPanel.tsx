import { Skeleton } from '@mantine/core'
import { findLoads, type LoadTariff, type PlannedLoad } from '@gridmast/contract/load-shifting.ts'
import { type ReactNode, useState } from 'react'
import { say, useTranslation } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { ErrorBanner } from '#ui/Banner.tsx'
import { Panel } from '#ui/Panel.tsx'
import { keyOf } from './LoadFields.tsx'
import classes from './load-shifting.module.css'

/** Of a form about one load: what it is about, and what else could be chosen. */
export type LoadFormProps = {
  load: PlannedLoad
  loads: readonly PlannedLoad[]
  tariffs: readonly LoadTariff[]
  onLoad: (key: string) => void
}

type Props = {
  title: string
  label: string
  /** Which load stands there at first; without it the first of all. */
  isFirst?: (load: PlannedLoad) => boolean
  renderForm: (props: LoadFormProps) => ReactNode
}

/** What can be planned, read once, with a form for the load that is chosen. */
export const LoadPanel = ({ title, label, isFirst, renderForm }: Props) => {
  const { t } = useTranslation()
  const read = useCall(findLoads, {})
  const [chosen, setChosen] = useState<string | null>(null)
  const { loads = [], tariffs = [] } = read.data ?? {}
  const load = loads.find((one) => keyOf(one) === chosen) ?? (isFirst && loads.find(isFirst)) ?? loads[0]
  return (
    <Panel title={title} label={label}>
      {read.error && (
        <ErrorBanner title={t('What can be planned could not be loaded.')} onRetry={() => void read.refetch()}>
          {say(read.error.message)}
        </ErrorBanner>
      )}
      {read.isPending && <Skeleton h={420} />}
      {read.data && !load && <p className={classes.quiet}>{t('Your company has nothing that can be planned.')}</p>}
      {load && renderForm({ load, loads, tariffs, onLoad: setChosen })}
    </Panel>
  )
}
