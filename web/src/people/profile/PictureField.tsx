import { Button, FileButton, Input } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { imageName } from '@gridmast/contract/people/profile.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { Note, Row } from '#ui/Layout.tsx'
import classes from '#people/people.module.css'

/** Null for an acceptable file. */
const refusalOf = ({ name, size }: File): string | null => {
  if (!imageName.test(name)) return m.imageFormat
  return size > limits.imageBytes ? m.imageTooLarge : null
}

const usePreview = (file: File | null): string | null => {
  const [preview, setPreview] = useState<{ file: File; url: string } | null>(null)
  useEffect(() => {
    if (!file) return
    const reader = new FileReader()
    reader.addEventListener('load', () => typeof reader.result === 'string' && setPreview({ file, url: reader.result }))
    reader.readAsDataURL(file)
    return () => reader.abort()
  }, [file])
  return preview?.file === file ? (preview?.url ?? null) : null
}

type Props = {
  image: string | null
  initials: string
  file: File | null
  error: ReactNode
  onChoose: (file: File) => void
  onRefuse: (message: string) => void
  onRemove: () => void
}

export const PictureField = ({ image, initials, file, error, onChoose, onRefuse, onRemove }: Props) => {
  const preview = usePreview(file)
  const reset = useRef<() => void>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const choose = (chosen: File | null) => {
    reset.current?.()
    if (!chosen) return
    const refused = refusalOf(chosen)
    if (refused === null) onChoose(chosen)
    else onRefuse(refused)
  }
  return (
    <Row nowrap gap={16} className={classes.picture} data-path="profileImage" role="group" aria-label={t('Picture')}>
      <Avatar image={preview ?? image} initials={initials} size={64} />
      <div>
        <Row gap={4} align="stretch">
          <FileButton accept="image/jpeg,image/png" resetRef={reset} onChange={choose}>
            {(props) => (
              <Button variant="default" ref={chooser} {...props}>
                {t('Choose picture')}
              </Button>
            )}
          </FileButton>
          {(file !== null || image !== null) && (
            <Button
              variant="subtle"
              onClick={() => {
                onRemove()
                chooser.current?.focus()
              }}
            >
              {t('Remove')}
            </Button>
          )}
        </Row>
        {error ? (
          <Input.Error role="alert">{error}</Input.Error>
        ) : (
          <Note size="label" above={4} style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {file ? file.name : t('JPG or PNG, at most 2 MB')}
          </Note>
        )}
      </div>
    </Row>
  )
}
