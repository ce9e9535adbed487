/** Gives the browser a file to keep: it asks its person where, or puts it where it puts all of them. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
  // A browser that asks where to keep it reads it later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
