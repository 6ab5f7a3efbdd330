import { createSupportNote, updateSupportNote } from '@gridmast/contract/people/support-notes.ts'
import { addDays, today } from '@gridmast/contract/time.ts'
import type { Portal } from './portal.ts'

type Wish = { title: string; description: string; daysAgo: number; settled: boolean }

export const notes: readonly Wish[] = [
  {
    title: 'Fuldmagt til Nordhavn Logistik',
    description:
      'Vi har givet fuldmagt i Eloverblik til målerne på Dokvej i dag.\n- Kan I se dem hos jer?\n- Hvor længe går der, før de ældre målinger er hentet?',
    daysAgo: 12,
    settled: true,
  },
  {
    title: 'Hul i målingerne på Værksted',
    description:
      'Måleren på Orientkaj 8 mangler to timer om morgenen den 10. og den 20., og timen efter er et skøn.\n- Er det en fejl hos netselskabet?\n- Kommer værdierne senere?',
    daysAgo: 1,
    settled: false,
  },
]

export const writeNotes = async (ask: Portal['ask'], nowMs = Date.now()): Promise<number> => {
  for (const { title, description, daysAgo, settled } of notes) {
    const note = { title, description, released: addDays(today(nowMs), -daysAgo), enable: true }
    const { supportNote } = await ask(createSupportNote, { body: { supportNote: note } })
    if (!settled) continue
    await ask(updateSupportNote, { params: { id: supportNote._id }, body: { supportNote: { ...note, enable: false } } })
  }
  return notes.length
}
