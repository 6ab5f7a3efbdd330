import { Button, Switch } from '@mantine/core'
import {
  findPushDevices,
  type PushDevice,
  removePushDevice,
  testPushDevice,
} from '@gridmast/contract/people/push-devices.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { ApiError } from '#lib/api.ts'
import { t, translateText } from '#lib/i18n.ts'
import { type PushRefusal, turnPushOff, turnPushOn } from '#lib/push.ts'
import { useCall, useDo } from '#lib/query.ts'
import { useUser } from '#lib/user.tsx'
import { deviceName } from '#people/security/user-agent.ts'
import { LoadError, Waiting } from '#ui/Loaded.tsx'
import { Note, Row, Stack } from '#ui/Layout.tsx'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { SmallTable } from '#ui/SmallTable.tsx'

const refusals = (): Record<PushRefusal, string> => ({
  unsupported: t('This browser cannot show notifications. On an iPhone, add Gridmast to the home screen first.'),
  denied: t('Notifications are blocked for this site. Allow them in the settings of the browser.'),
})

/** Devices with notifications, and the switch of this one. */
export const PushDevices = () => {
  const read = useCall(findPushDevices, {})
  if (read.error) return <LoadError query={read} title={t('The devices could not be loaded.')} />
  if (!read.data) return <Waiting height={36} />
  return <Devices devices={read.data.devices} onChange={() => read.refetch()} />
}

type Act = (sent: { params: { id: string } }) => void

const columnsOf = (test: Act, remove: Act): Columns<PushDevice> => [
  column.text('device', t('Device'), (device) =>
    device.current ? `${deviceName(device)} (${t('This session')})` : deviceName(device),
  ),
  column.text('since', t('Since'), ({ createdAt }) => formatDateTime(Date.parse(createdAt)).slice(0, 16)),
  column.figure('actions', t('Actions'), (device) => {
    const { _id: id, current } = device
    return (
      <Row as="span" inline gap={4}>
        <Button
          variant="subtle"
          size="xs"
          aria-label={t('Send a test to {{device}}', { device: deviceName(device) })}
          onClick={() => test({ params: { id } })}
        >
          {t('Test')}
        </Button>
        {!current && (
          <Button
            variant="subtle"
            size="xs"
            aria-label={t('Remove {{device}}', { device: deviceName(device) })}
            onClick={() => remove({ params: { id } })}
          >
            {t('Remove')}
          </Button>
        )}
      </Row>
    )
  }),
]

type Props = { devices: PushDevice[]; onChange: () => Promise<unknown> }

const Devices = ({ devices, onChange }: Props) => {
  const { _id: userId } = useUser()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const test = useDo(testPushDevice)
  const remove = useDo(removePushDevice)
  const current = devices.find((device) => device.current)
  const change = async (on: boolean) => {
    setBusy(true)
    setProblem(null)
    try {
      const refusal = on ? await turnPushOn(userId) : current && (await turnPushOff(current._id))
      if (refusal) setProblem(refusals()[refusal])
    } catch (error) {
      setProblem(error instanceof ApiError ? translateText(error.message) : t('The browser refused. Try again later.'))
    }
    await onChange()
    setBusy(false)
  }
  return (
    <Stack gap={14}>
      <Switch
        label={t('Notifications on this device')}
        withThumbIndicator={false}
        checked={current !== undefined}
        disabled={isBusy}
        error={problem}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
      {devices.length > 0 && (
        <SmallTable
          label={t('Devices with notifications')}
          columns={columnsOf(test.mutate, remove.mutate)}
          rows={devices}
          rowKey={({ _id }) => _id}
        />
      )}
      <Note ink="ink2">{t('Signing a device out also ends its notifications.')}</Note>
    </Stack>
  )
}
