import { Button } from '@mantine/core'
import { verifyAudit } from '@gridmast/contract/people/audit.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { LoadError } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { Note, Row, Text } from '#ui/Layout.tsx'

type Chain = Data<typeof verifyAudit>

export const VerifyChain = () => {
  const chain = useCall(verifyAudit, { enabled: false })
  return (
    <Panel label={t('Verify the trail')}>
      <Row gap={24} rowGap={8} justify="between">
        <div style={{ flex: '1 1 260px' }}>
          <Text as="b" weight="strong">
            {t('Verify the trail')}
          </Text>
          <Note style={{ maxWidth: 720 }}>
            {t(
              'Each entry is sealed together with the previous entry. Verification recalculates the seals and reveals any entry that was changed, removed or moved.',
            )}
          </Note>
        </div>
        <Button variant="default" loading={chain.isFetching} onClick={() => void chain.refetch()}>
          {t('Verify')}
        </Button>
      </Row>
      <div role="status">{chain.data && !chain.isFetching && <Verdict chain={chain.data} />}</div>
      {!chain.isFetching && <LoadError query={chain} title={t('The trail could not be verified.')} />}
    </Panel>
  )
}

const Verdict = ({ chain: { entries, whole, firstBroken } }: { chain: Chain }) => {
  const VerdictIcon = whole ? IconShieldCheck : IconShieldX
  return (
    <Row
      as="p"
      nowrap
      gap={8}
      align="start"
      above={10}
      plate={whole ? 'up-tint' : 'down-tint'}
      ink={whole ? 'up' : 'down'}
      weight="medium"
      style={{ borderRadius: 10 }}
    >
      <VerdictIcon size={16} stroke={1.8} style={{ flex: 'none', marginTop: 2 }} aria-hidden />
      {whole
        ? t('The trail is intact: {{count}} entries.', { count: entries })
        : t('The trail is broken: entry {{entry}} is the first that does not match.', { entry: firstBroken ?? 0 })}
    </Row>
  )
}
