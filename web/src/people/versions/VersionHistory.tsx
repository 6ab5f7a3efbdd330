import { limits } from '@gridmast/contract/limits.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { findVersions } from '@gridmast/contract/people/versions.ts'
import { currentLanguage, t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { usePage } from '#lib/url-state.ts'
import { TextCard, TextCards } from '#ui/TextCards.tsx'

const VersionHistory = () => {
  const [page, onPage] = usePage()
  const query = { limit: limits.pageSize, skip: (page - 1) * limits.pageSize }
  const read = useCall(findVersions, { sent: { query }, keepWhile: 'versions' })
  return (
    <main>
      <TextCards
        label={t('Version History')}
        query={read}
        failed={t('The versions could not be loaded.')}
        items={read.data?.versions ?? []}
        renderItem={({ _id, title, application, released, description, descriptionDa }) => (
          <TextCard
            key={_id}
            title={title}
            meta={
              <span className="gm-num">
                {application} · {formatDate(released)}
              </span>
            }
            text={(currentLanguage() === 'da' ? descriptionDa : null) ?? description}
          />
        )}
        paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
      />
    </main>
  )
}

export default VersionHistory
