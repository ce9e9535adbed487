import { appearance, imagePath, nameOf } from '../../api/appearance.ts'
import { Mark } from '../icons.tsx'

/** The operator's logo and name, or the panel's own. */
export function Brand() {
  const shown = appearance.use()
  return (
    <>
      {shown.logo === null ? (
        <Mark />
      ) : (
        <img className="brand-logo" src={imagePath('logo', shown.logo)} alt="" width={22} height={22} />
      )}
      {nameOf(shown)}
    </>
  )
}
