import { t } from '#lib/i18n.ts'
import { Bone } from '#ui/Loaded.tsx'

const bars = [46, 62, 55, 70, 64, 80, 74, 58, 66, 84, 72, 60]

export const ChartSkeleton = ({ height }: { height: number }) => (
  <div
    role="status"
    aria-label={t('Loading')}
    style={{
      minHeight: height,
      flex: 1,
      display: 'flex',
      alignItems: 'flex-end',
      gap: 10,
      padding: '24px 10px 24px 48px',
    }}
  >
    {bars.map((share, i) => (
      <Bone key={i} style={{ flex: 1, height: Math.round(((height - 48) * share) / 100) }} />
    ))}
  </div>
)
