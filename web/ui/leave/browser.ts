import { isUnsaved, leave } from './unsaved.ts'

/**
 * Holds the browser's own ways out, closing, reloading and its way back, while something typed is unsaved. Called before
 * anything is shown: listeners of a window are called in the order in which they came, and the router's would already
 * have left.
 */
export function holdBrowser(): void {
  let here = location.href
  const note = () => {
    here = location.href
  }
  const back = (event: Event) => {
    if (!isUnsaved()) return note()
    const { href } = location
    // The address is already the other one: nobody else learns of it until the person agrees.
    event.stopImmediatePropagation()
    history.pushState(history.state, '', here)
    leave(() => history.pushState(null, '', href))
  }
  const unload = (event: BeforeUnloadEvent) => {
    if (isUnsaved()) event.preventDefault()
  }
  for (const move of ['pushState', 'replaceState']) addEventListener(move, note)
  addEventListener('popstate', back)
  addEventListener('beforeunload', unload)
}
