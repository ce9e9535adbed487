const WORDS = {
  en: { title: 'You have left the database', back: 'Back to the panel' },
  es: { title: 'Ha salido de la base de datos', back: 'Volver al panel' },
}

/** What is shown after signing out of Adminer, in the language of the screens that it was opened from. */
export function endedPage(language: 'en' | 'es', panel: string): string {
  const { title, back } = WORDS[language]
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
body { display: grid; place-content: center; justify-items: center; min-height: 90vh; margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1c1c1a; background: #f6f5f1 }
h1 { font-size: 1.25rem; font-weight: 600 }
a { color: #0b5e73 }
</style>
<h1>${title}</h1>
<a href="${panel}">${back}</a>
</html>
`
}
