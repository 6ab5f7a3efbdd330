import { Menu, TextInput, UnstyledButton } from '@mantine/core'
import {
  addSavedView,
  changeSavedView,
  removeSavedView,
  type SavedView,
  setDefaultView,
} from '@gridmast/contract/people/saved-views.ts'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { useRemoval } from '#lib/removal.tsx'
import type { SavedViews } from '#lib/saved-views.ts'
import { useCan } from '#lib/user.tsx'
import { CallFormDialog } from './CallForm.tsx'
import classes from './ListTools.module.css'

type Naming = 'new' | 'shared' | 'rename'

/** Saved views of a list: choose, save, share and delete. */
export const ListViews = ({ views: saved }: { views: SavedViews }) => {
  const { list, chosen, isChanged, apply, text, query } = saved
  const mayShare = useCan('view.share')
  const target = useRef<HTMLButtonElement>(null)
  const [naming, setNaming] = useState<Naming | null>(null)
  const changing = useDo(changeSavedView)
  const defaulting = useDo(setDefaultView)
  const { remove, isRemoved } = useRemoval(removeSavedView, {
    sent: ({ _id }: SavedView) => ({ params: { id: _id } }),
    onRemoved: () => target.current?.focus(),
  })
  const views = saved.views.filter((view) => !isRemoved(view))
  const view = chosen && !isRemoved(chosen) ? chosen : undefined
  const mayEdit = view !== undefined && (!view.shared || mayShare)
  const change = (body: { search?: string; shared?: true }) =>
    view && changing.mutate({ params: { id: view._id }, body })
  const item = (one: SavedView) => (
    <Menu.Item
      key={one._id}
      onClick={() => void apply(one)}
      aria-current={one === view || undefined}
      rightSection={one === view && <IconCheck size={14} aria-hidden />}
    >
      {one.name}
      {one.isDefault && <span className={classes.mark}> · {t('Opens by default')}</span>}
    </Menu.Item>
  )
  const group = (title: string, some: SavedView[]) =>
    some.length > 0 && (
      <>
        <Menu.Label>{title}</Menu.Label>
        {some.map(item)}
      </>
    )
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <UnstyledButton ref={target} className={classes.target ?? ''}>
            <span className="gm-hidden">{t('View:')} </span>
            <span className={classes.name}>{view?.name ?? t('Standard view')}</span>
            {isChanged && view && <span className={classes.mark}> {t('not saved')}</span>}
            <IconChevronDown size={14} stroke={1.8} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className={classes.dropdown ?? ''}>
          <Menu.Item
            onClick={() => void apply(null)}
            aria-current={!view || undefined}
            rightSection={!view && <IconCheck size={14} aria-hidden />}
          >
            {t('Standard view')}
          </Menu.Item>
          {query.isError && <Menu.Label>{t('The views could not be loaded.')}</Menu.Label>}
          {group(
            t('Your views'),
            views.filter(({ shared }) => !shared),
          )}
          {group(
            t('Views of the company'),
            views.filter(({ shared }) => shared),
          )}
          <Menu.Divider />
          <Menu.Item onClick={() => setNaming('new')}>{t('Save as new view …')}</Menu.Item>
          {mayShare && <Menu.Item onClick={() => setNaming('shared')}>{t('Save for the company …')}</Menu.Item>}
          {view && (
            <>
              <Menu.Divider />
              <Menu.Label>{view.name}</Menu.Label>
              {mayEdit && (
                <>
                  <Menu.Item disabled={!isChanged} onClick={() => change({ search: text })}>
                    {t('Save changes')}
                  </Menu.Item>
                  <Menu.Item onClick={() => setNaming('rename')}>{t('Rename …')}</Menu.Item>
                </>
              )}
              {mayShare && !view.shared && (
                <Menu.Item onClick={() => change({ shared: true })}>{t('Share with the company')}</Menu.Item>
              )}
              <Menu.Item
                onClick={() => defaulting.mutate({ body: { list, viewId: view.isDefault ? null : view._id } })}
              >
                {view.isDefault ? t('No longer open by default') : t('Open by default')}
              </Menu.Item>
              {mayEdit && (
                <Menu.Item
                  color="red"
                  onClick={() => {
                    remove(view)
                    void apply(null)
                  }}
                >
                  {t('Delete view')}
                </Menu.Item>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <CallFormDialog
        title={naming === 'shared' ? t('Save for the company') : t('Save as new view')}
        submit={t('Save view')}
        size={440}
        call={addSavedView}
        initial={naming === 'new' || naming === 'shared' ? { name: '' } : null}
        toBody={({ name }) => ({ name, list, search: text, shared: naming === 'shared' })}
        onDone={({ view: added }) => void apply(added)}
        onClose={() => setNaming(null)}
      >
        {({ field }) => (
          <TextInput
            label={t('Name')}
            description={t('Filters, columns and order of this list are saved.')}
            data-autofocus
            {...field('name')}
          />
        )}
      </CallFormDialog>
      <CallFormDialog
        title={t('Rename view')}
        submit={t('Save view')}
        size={440}
        call={changeSavedView}
        initial={naming === 'rename' && view ? { name: view.name } : null}
        request={{ params: { id: view?._id ?? '' } }}
        toBody={({ name }) => ({ name })}
        onClose={() => setNaming(null)}
      >
        {({ field }) => <TextInput label={t('Name')} data-autofocus {...field('name')} />}
      </CallFormDialog>
    </>
  )
}
