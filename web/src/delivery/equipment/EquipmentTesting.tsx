import { ActionIcon, Button } from '@mantine/core'
import { type EquipmentCommand, equipmentSeries, isHeld } from '@gridmast/contract/delivery/equipment.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import { localTime } from '@gridmast/contract/time.ts'
import { useBlocker } from '@tanstack/react-router'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { currentMs, useNow } from '#lib/clock.ts'
import { downloadCall } from '#lib/download.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { showToast } from '#lib/toast.ts'
import { AutoRefresh } from '#ui/AutoRefresh.tsx'
import { startAndEnd } from '#ui/Chart/range.ts'
import { ConfirmDialog } from '#ui/useConfirm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EquipmentCharts } from './EquipmentCharts.tsx'
import { LoadForm, type TestedEdge, type TestedInstance } from './LoadForm.tsx'
import { refreshedWindow, testWindow } from './window.ts'
import { DialogFoot, Note, Row } from '#ui/Layout.tsx'
import classes from './equipment.module.css'
import { Menu, MenuItem } from '#ui/Menu.tsx'

const followEveryMs = 3000
const followForMs = 30_000

type Props = { opened: boolean; instance: TestedInstance; edge: TestedEdge; onClose: () => void }

/** Manual set points of one instance with charts of the response. It closes only when the last set point was 0. */
export const EquipmentTesting = ({ opened, ...props }: Props) => opened && <Testing {...props} />

const Testing = ({ instance, edge, onClose }: Omit<Props, 'opened'>) => {
  const nowMs = useNow(10_000)
  // The dialog is unmounted with its state, so the library does not return the focus.
  const [opener] = useState(() => document.activeElement)
  useEffect(() => () => (opener instanceof HTMLElement ? opener.focus({ preventScroll: true }) : undefined), [opener])
  const [window, setWindow] = useState(() => testWindow(currentMs()))
  const [running, setRunning] = useState(false)
  const [answered, setAnswered] = useState<EquipmentCommand | null>(null)
  const period = { signalId: instance.signalId, ...startAndEnd(window) }
  const query = useCall(equipmentSeries, {
    sent: { query: { ...period, prefillData: 'true', dataDecimation: 'true' } },
    keepWhile: instance.signalId,
  })
  // A set point of another user is released in this dialog too.
  const stored = query.data?.command
  const newest = stored && (!answered || stored.issuedAt > answered.issuedAt) ? stored : answered
  const unreleased = newest && isHeld(newest, nowMs) ? newest : null
  const close = () => (unreleased ? showToast({ kind: 'error', message: translateText(m.closeNeedsZero) }) : onClose())

  useEffect(() => {
    if (!answered) return
    const timer = setInterval(() => setWindow((before) => refreshedWindow(before, currentMs())), followEveryMs)
    const end = setTimeout(() => clearInterval(timer), followForMs)
    return () => [timer, end].forEach(clearTimeout)
  }, [answered])

  const toggle = (on: boolean) => {
    setRunning(on)
    if (on) setWindow({ ...window, toMs: currentMs() })
  }
  const onAnswered = (command: EquipmentCommand) => {
    const status = command.status ?? m.noResponseFromEdge
    showToast(
      status === m.noResponseFromEdge
        ? { kind: 'error', message: translateText(status) }
        : { kind: 'success', message: status },
    )
    setAnswered(command)
    toggle(true)
  }
  const download = (format: FileFormat) => void downloadCall(equipmentSeries, { query: { ...period, format } })
  return (
    <Dialog
      opened
      onClose={close}
      size={900}
      large
      classNames={{ content: classes.dialog, body: classes.body }}
      title={t('Equipment Testing')}
    >
      <Row gap={16} rowGap={4} below={16}>
        <Note grow={200} size="small" className={classes.target}>
          {[instance.name, edge.name, edge.codeVersion].filter(Boolean).join(' · ')}
        </Note>
        <AutoRefresh
          on={running}
          onToggle={toggle}
          onRefresh={() => setWindow((before) => refreshedWindow(before, currentMs()))}
        />
        <Menu
          target={
            <ActionIcon ml="auto" aria-label={t('Download')} disabled={!query.data?.downloadable}>
              <IconDownload size={16} stroke={1.8} />
            </ActionIcon>
          }
        >
          <MenuItem onClick={() => download('xlsx')}>{t('Download Excel')}</MenuItem>
          <MenuItem onClick={() => download('csv')}>{t('Download CSV')}</MenuItem>
        </Menu>
      </Row>
      <LoadForm instance={instance} edge={edge} command={newest ?? null} onAnswered={onAnswered} />
      <EquipmentCharts query={query} span={window} running={running} />
      <DialogFoot className={classes.foot}>
        {unreleased && (
          <Row as="p" gap={8} nowrap grow ink="warn" size="body" role="status">
            <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
            {translateText(m.closeNeedsZero)}
          </Row>
        )}
        <Button variant="default" onClick={close}>
          {t('Close')}
        </Button>
      </DialogFoot>
      <UnreleasedSetPointGuard command={unreleased} />
    </Dialog>
  )
}

const UnreleasedSetPointGuard = ({ command }: { command: EquipmentCommand | null }) => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => command !== null,
    enableBeforeUnload: () => command !== null,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      title={t('Leave without releasing the set point?')}
      confirm={t('Leave')}
      danger
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {t('The set point stays at {{setPoint}} % until you send 0, or until the edge releases it at {{time}}.', {
        setPoint: command?.setPoint ?? 0,
        time: command ? localTime(Date.parse(command.heldUntil)) : '–',
      })}
    </ConfirmDialog>
  )
}
