/** Has a file fetched and read, but not run; resolves once it is there, or cannot be had. */
export function preload(path: string, priority: 'auto' | 'low' = 'auto'): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = path
  link.fetchPriority = priority
  return new Promise((resolve) => {
    link.onload = () => resolve()
    link.onerror = () => resolve()
    document.head.append(link)
  })
}
