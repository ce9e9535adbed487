import { inArray } from 'drizzle-orm'
import { settings } from '../../schema/tables.ts'
import type { PageKind } from '../endpoint/ports/pages.ts'
import { encodeBase62 } from '../secrets/base62.ts'
import { sha256 } from '../secrets/hash.ts'
import type { Db, Tx } from '../store/database.ts'
import { putSetting, selectSetting } from '../store/settings.ts'

/** How the operator shows the panel to customers; null where it is as it came. */
export type Appearance = {
  name: string | null
  /** `#rrggbb`. */
  colour: string | null
  /** Where customers ask for help: an `https:` or a `mailto:` address. */
  support: string | null
  /** What tells the present image from an earlier one. */
  logo: string | null
  icon: string | null
  pages: Pages
}
/** The operator's own pages where no site is served; null where it is the panel's. */
export type Pages = Record<PageKind, OwnPage | null>
export type OwnPage = { title: string; text: string }
export type ImageName = 'logo' | 'icon'

const NAME = 'appearance'
const NO_PAGES: Pages = { placeholder: null, suspended: null, missing: null }
const PLAIN: Appearance = { name: null, colour: null, support: null, logo: null, icon: null, pages: NO_PAGES }
const imageName = (image: ImageName) => `${NAME}:${image}`

export const selectAppearance = (db: Db) => selectSetting(db, NAME)

/** What was stored; only `queueAppearance` writes it. */
export const appearanceOf = ([row]: readonly { value: string }[]): Appearance =>
  row ? { ...PLAIN, ...(JSON.parse(row.value) as Partial<Appearance>) } : PLAIN

/** Images in base64, as they are stored. */
export async function imageOf(db: Db, image: ImageName): Promise<string | null> {
  const row = await selectSetting(db, imageName(image)).get()
  return row?.value ?? null
}

/** Images to put or, where they are null, to take away; those that are left out stay. */
export type Images = Partial<Record<ImageName, { base64: string; bytes: Uint8Array } | null>>

export const hashOf = (bytes: Uint8Array) => encodeBase62(sha256(bytes), 43).slice(0, 16)

/** The writes of an appearance with its images. */
export function queueAppearance(tx: Tx, appearance: Appearance, images: Images) {
  const entries = Object.entries(images) as [ImageName, Images[ImageName]][]
  const gone = entries.filter(([, image]) => image === null).map(([name]) => imageName(name))
  return [
    putSetting(tx, NAME, JSON.stringify(appearance)),
    ...entries.flatMap(([name, image]) => (image ? [putSetting(tx, imageName(name), image.base64)] : [])),
    ...(gone.length > 0 ? [tx.delete(settings).where(inArray(settings.name, gone))] : []),
  ]
}
