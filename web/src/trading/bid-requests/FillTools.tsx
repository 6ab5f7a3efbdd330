import { Button, TextInput } from '@mantine/core'
import { type BidRequest, findBidRequests } from '@gridmast/contract/trading/bid-requests.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { Bone } from '#ui/Loaded.tsx'
import { Row } from '#ui/Layout.tsx'
import classes from './bid-requests.module.css'
import { unitWords } from './bid-words.ts'
import { filledAll, type Kind, kindsOf, type SlotTexts, textsOf } from './slot-values.ts'
import { Menu, MenuItem } from '#ui/Menu.tsx'

type Props = { market: string; texts: SlotTexts; onChange: (texts: SlotTexts) => void }

const maxListed = 10

const useEarlier = (market: string, opened: boolean) => {
  const sent = (filterType: 'current' | 'past') => ({ query: { filterType, market, limit: maxListed, skip: 0 } })
  const current = useCall(findBidRequests, { sent: sent('current'), enabled: opened })
  const past = useCall(findBidRequests, { sent: sent('past'), enabled: opened })
  const earlier: BidRequest[] | undefined = current.data &&
    past.data && [
      // A request that ends between the two answers is in both.
      ...new Map([...current.data.bidRequests, ...past.data.bidRequests].map((row) => [row._id, row])).values(),
    ]
  return {
    earlier: earlier?.filter(({ customBidding }) => customBidding),
    error: current.error ?? past.error,
  }
}

export const FillTools = ({ market, texts, onChange }: Props) => {
  const [values, setValues] = useState<Partial<Record<Kind, string>>>({})
  const [opened, setOpened] = useState(false)
  const { earlier, error } = useEarlier(market, opened)
  const kinds = kindsOf(market)
  const apply = () => onChange(filledAll(texts, kinds, values))
  return (
    <Row gap={8} ink="ink2" role="group" aria-label={t('Fill all')}>
      <span className={classes.fill}>{t('Fill all')}</span>
      {kinds.map((kind) => (
        <TextInput
          key={kind}
          w={104}
          placeholder={unitWords[kind]}
          aria-label={`${t('Fill all')} ${unitWords[kind]}`}
          inputMode="decimal"
          autoComplete="off"
          value={values[kind] ?? ''}
          onChange={(event) => setValues({ ...values, [kind]: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            apply()
          }}
        />
      ))}
      <Button variant="default" onClick={apply} disabled={!kinds.some((kind) => values[kind]?.trim())}>
        {t('Apply')}
      </Button>
      <Menu
        onChange={setOpened}
        target={
          <Button variant="subtle" leftSection={<IconCopy size={16} stroke={1.8} aria-hidden />}>
            {t('Copy an earlier request')}
          </Button>
        }
      >
        {!earlier && (
          <MenuItem disabled aria-label={error ? undefined : t('Loading')}>
            {error ? translateText(error.message) : <Bone style={{ display: 'block', height: 14, width: 160 }} />}
          </MenuItem>
        )}
        {earlier?.length === 0 && <MenuItem disabled>{t('No earlier request with slots')}</MenuItem>}
        {earlier?.map((row) => (
          <MenuItem key={row._id} onClick={() => onChange(textsOf(market, row))}>
            {row.groupName} · {formatDate(row.startDate)} – {formatDate(row.endDate)}
          </MenuItem>
        ))}
      </Menu>
    </Row>
  )
}
