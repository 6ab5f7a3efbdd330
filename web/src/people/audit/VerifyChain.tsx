import { Button } from '@mantine/core'
import { verifyAudit } from '@gridmast/contract/people/audit.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { LoadError } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from './audit.module.css'

type Chain = Data<typeof verifyAudit>

/** Recomputes the chain of entries when asked to. */
export const VerifyChain = () => {
  const chain = useCall(verifyAudit, { enabled: false })
  return (
    <Panel label={t('Verify the trail')}>
      <div className={classes.verify}>
        <div>
          <b>{t('Verify the trail')}</b>
          <p>
            {t(
              'Each entry is sealed with the one before it. Verifying recomputes the seals and reveals any entry that was changed, removed or moved.',
            )}
          </p>
        </div>
        <Button variant="default" loading={chain.isFetching} onClick={() => void chain.refetch()}>
          {t('Verify')}
        </Button>
      </div>
      <div role="status">{chain.data && !chain.isFetching && <Found chain={chain.data} />}</div>
      {!chain.isFetching && <LoadError query={chain} title={t('The trail could not be verified.')} />}
    </Panel>
  )
}

const Found = ({ chain: { entries, whole, firstBroken } }: { chain: Chain }) => {
  const FoundIcon = whole ? IconShieldCheck : IconShieldX
  return (
    <p className={classes.found} data-whole={whole}>
      <FoundIcon size={16} stroke={1.8} aria-hidden />
      {whole
        ? t('The trail is intact: {{count}} entries.', { count: entries })
        : t('The trail is broken: entry {{entry}} is the first that does not match.', { entry: firstBroken ?? 0 })}
    </p>
  )
}
