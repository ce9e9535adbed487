import { type RefObject, useEffect, useState } from 'react'

/** Rows beyond what is seen, so that scrolling shows no gap. */
const BEYOND = 8

/** The rows of a scrolled box that are in sight, of all `count` rows of one height. */
export function useRowWindow(
  box: RefObject<HTMLElement | null>,
  { count, height }: { count: number; height: number },
): { from: number; to: number; page: number; show: (index: number) => void } {
  const [seen, setSeen] = useState({ first: 0, rows: 30 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      const first = Math.floor(element.scrollTop / height)
      const rows = Math.ceil(element.clientHeight / height)
      setSeen((before) => (before.first === first && before.rows === rows ? before : { first, rows }))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [box, height])
  const show = (index: number) => {
    const element = box.current
    if (!element || index < 0) return
    // The heading stays at the top of the box, over its rows.
    const head = element.querySelector('.file-head')?.clientHeight ?? 0
    const top = index * height
    const room = element.clientHeight - head - height
    if (top < element.scrollTop) element.scrollTop = top
    else if (top > element.scrollTop + room) element.scrollTop = top - room
  }
  return {
    from: Math.max(0, seen.first - BEYOND),
    to: Math.min(count, seen.first + seen.rows + BEYOND),
    page: Math.max(1, seen.rows - 2),
    show,
  }
}
