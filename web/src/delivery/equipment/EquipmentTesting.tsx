import { ActionIcon, Button, Menu } from '@mantine/core'
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
import { ConfirmDialog } from '#ui/useConfirm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Answer } from './Answer.tsx'
import { EquipmentCharts } from './EquipmentCharts.tsx'
import { LoadForm, type TestedEdge, type TestedInstance } from './LoadForm.tsx'
import { refreshedWindow, testWindow } from './window.ts'
import classes from './equipment.module.css'

/** After a command was answered the charts are read this often, for this long. */
const followMs = 3000
const followedForMs = 30_000

type Props = { opened: boolean; instance: TestedInstance; edge: TestedEdge; onClose: () => void }

/** Moves the equipment of one instance by hand and shows what it does. It closes only when the last set point sent was 0. */
export const EquipmentTesting = ({ opened, ...props }: Props) => opened && <Testing {...props} />

const Testing = ({ instance, edge, onClose }: Omit<Props, 'opened'>) => {
  const nowMs = useNow(10_000)
  // The dialog is gone with its state, so the library's own way back to what opened it is too.
  const [opener] = useState(() => document.activeElement)
  useEffect(() => () => (opener instanceof HTMLElement ? opener.focus({ preventScroll: true }) : undefined), [opener])
  const [window, setWindow] = useState(() => testWindow(currentMs()))
  const [running, setRunning] = useState(false)
  const [answered, setAnswered] = useState<EquipmentCommand | null>(null)
  const asked = {
    signalId: instance.signalId,
    start: new Date(window.fromMs).toISOString(),
    end: new Date(window.toMs).toISOString(),
  }
  const query = useCall(equipmentSeries, {
    sent: { query: { ...asked, prefillData: 'true', dataDecimation: 'true' } },
    keepWhile: instance.signalId,
  })
  // Somebody may have set the equipment before this was opened: who opens it now is to release it.
  const known = query.data?.command
  const newest = known && (!answered || known.issuedAt > answered.issuedAt) ? known : answered
  const held = newest && isHeld(newest, nowMs) ? newest : null
  const close = () => (held ? showToast({ kind: 'error', message: translateText(m.closeNeedsZero) }) : onClose())

  // What a command moves is seen at once, not at the next turn of the auto-refresh.
  useEffect(() => {
    if (!answered) return
    const timer = setInterval(() => setWindow((before) => refreshedWindow(before, currentMs())), followMs)
    const end = setTimeout(() => clearInterval(timer), followedForMs)
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
  const download = (format: FileFormat) =>
    void downloadCall(
      equipmentSeries,
      { query: { ...asked, format } },
      `${t('Equipment Testing')} ${instance.name}.${format}`,
    )
  return (
    <Dialog
      opened
      onClose={close}
      size={900}
      large
      classNames={{ content: classes.dialog, body: classes.body }}
      title={t('Equipment Testing')}
    >
      <div className={classes.head}>
        <p className={classes.target}>{[instance.name, edge.name, edge.codeVersion].filter(Boolean).join(' · ')}</p>
        <AutoRefresh
          on={running}
          onToggle={toggle}
          onRefresh={() => setWindow((before) => refreshedWindow(before, currentMs()))}
        />
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t('Download')} disabled={!query.data?.downloadable}>
              <IconDownload size={16} stroke={1.8} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => download('xlsx')}>{t('Download Excel')}</Menu.Item>
            <Menu.Item onClick={() => download('csv')}>{t('Download CSV')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <LoadForm instance={instance} edge={edge} onAnswered={onAnswered}>
        {(sending) => <Answer sending={sending} command={newest ?? null} />}
      </LoadForm>
      <EquipmentCharts query={query} span={window} running={running} />
      <div className={classes.foot}>
        {held && (
          <p className={classes.warning} role="status">
            <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
            {translateText(m.closeNeedsZero)}
          </p>
        )}
        <Button variant="default" onClick={close}>
          {t('Close')}
        </Button>
      </div>
      <UnreleasedSetPointGuard held={held} />
    </Dialog>
  )
}

/** Confirms leaving the page, closing or reloading the window while a set point is not released. */
const UnreleasedSetPointGuard = ({ held }: { held: EquipmentCommand | null }) => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => held !== null,
    enableBeforeUnload: () => held !== null,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      title={t('Leave the equipment where it is?')}
      confirm={t('Leave')}
      danger
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    >
      {t('It stays at {{setPoint}} % until you send 0, or until the edge releases it by itself at {{time}}.', {
        setPoint: held?.setPoint ?? 0,
        time: held ? localTime(Date.parse(held.heldUntil)) : '–',
      })}
    </ConfirmDialog>
  )
}
