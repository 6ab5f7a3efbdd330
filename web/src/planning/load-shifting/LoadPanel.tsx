import { Skeleton } from '@mantine/core'
import { findLoads, type LoadTariff, type PlannedLoad } from '@gridmast/contract/planning/load-shifting.ts'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { LoadError } from '#ui/Loaded.tsx'
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
  /** The id of the load that is shown; undefined while it is not known, null without one. */
  loadId: string | null | undefined
  onLoad: (loadId: string) => void
  /** Without a load of that id; else the first of all. */
  isFirst?: (load: PlannedLoad) => boolean
  renderForm: (props: LoadFormProps) => ReactNode
}

/** What can be planned, read once, with a form for the load that is chosen. */
export const LoadPanel = ({ title, label, loadId, onLoad, isFirst, renderForm }: Props) => {
  const read = useCall(findLoads, {})
  const { loads = [], tariffs = [] } = read.data ?? {}
  const load =
    loadId === undefined
      ? undefined
      : (loads.find(({ target }) => target._id === loadId) ?? (isFirst && loads.find(isFirst)) ?? loads[0])
  const choose = (key: string) => {
    const id = loads.find((one) => keyOf(one) === key)?.target._id
    if (id) onLoad(id)
  }
  return (
    <Panel title={title} label={label}>
      <LoadError query={read} title={t('What can be planned could not be loaded.')} />
      {(read.isPending || (read.data && loadId === undefined)) && (
        <Skeleton className={classes.formWaiting ?? ''} animate={false} />
      )}
      {read.data && loads.length === 0 && (
        <p className={classes.quiet}>{t('Your company has nothing that can be planned.')}</p>
      )}
      {load && renderForm({ load, loads, tariffs, onLoad: choose })}
    </Panel>
  )
}
