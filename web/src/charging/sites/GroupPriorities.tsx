import { Button } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { type findChargingSites, saveGroupPriorities } from '@gridmast/contract/charging/charging-sites.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { DecimalField } from '#ui/DecimalField.tsx'
import { Lines } from '#ui/Layout.tsx'
import { Panel } from '#ui/Panel.tsx'
import { UnsavedChanges } from '#ui/Dialog.tsx'
import classes from './charging-sites.module.css'

type Priorities = Data<typeof findChargingSites>['priorities']
type Props = { priorities: Priorities; mayEdit: boolean }

/** How tag groups come before each other, of all sites. */
export const GroupPriorities = ({ priorities, mayEdit }: Props) => {
  const [changed, setChanged] = useState<Record<string, number>>({})
  const saving = useDo(saveGroupPriorities)
  const isChanged = Object.keys(changed).length > 0
  const save = () =>
    saving.mutate(
      { body: { priorities: Object.entries(changed).map(([groupId, priority]) => ({ groupId, priority })) } },
      { onSuccess: () => setChanged({}) },
    )
  return (
    <Panel label={t('Who goes first')} title={t('Who goes first')}>
      <p className={classes.words}>
        {t(
          'Where the limit is short, sessions of a tag group with a higher number get what is left first. Tags without a group have 1.',
        )}
      </p>
      <UnsavedChanges unsaved={isChanged} />
      {priorities.length === 0 ? (
        <p className={classes.words}>{t('There are no tag groups yet.')}</p>
      ) : (
        <Lines fields>
          {priorities.map(({ groupId, name, priority }) => (
            <li key={groupId}>
              <span>{name}</span>
              {mayEdit ? (
                <DecimalField
                  aria-label={t('Priority of {{name}}', { name })}
                  size="xs"
                  w={80}
                  decimals={0}
                  initial={changed[groupId] ?? priority}
                  onChange={(decimal) =>
                    setChanged(({ [groupId]: _, ...rest }) =>
                      decimal === undefined || Number(decimal) === priority
                        ? rest
                        : { ...rest, [groupId]: Number(decimal) },
                    )
                  }
                />
              ) : (
                <b className="gm-num">{priority}</b>
              )}
            </li>
          ))}
        </Lines>
      )}
      {mayEdit && priorities.length > 0 && (
        <div className={classes.save}>
          <Button disabled={!isChanged} loading={saving.isPending} onClick={save}>
            {t('Save priorities')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
