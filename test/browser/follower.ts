import type { Locator } from 'playwright-core'
import type { Visitor } from './browser.ts'

/**
 * A person at the screens who knows nothing but what stands on them: everything is found by its visible words or the
 * label of its field, and what is done is counted.
 */
export class Follower {
  readonly visitor: Visitor
  readonly did: string[] = []
  readonly #began = performance.now()

  constructor(visitor: Visitor) {
    this.visitor = visitor
  }

  /** What is in front: an open dialog, else the page. */
  async #front(): Promise<Locator> {
    const { dialog, page } = this.visitor
    return (await dialog.count()) > 0 ? dialog.last() : page.locator('body')
  }

  /** Reads these words on the screen before anything else is done. */
  async reads(words: string | RegExp): Promise<void> {
    const { page } = this.visitor
    await page.getByText(words).filter({ visible: true }).first().waitFor({ timeout: 20_000 })
  }

  /** Presses what bears these words, whether it is a button, a link or an entry of a list. */
  async presses(words: string | RegExp): Promise<void> {
    const front = await this.#front()
    const named = { name: words, ...(typeof words === 'string' ? { exact: true } : {}) }
    const pressed = front
      .getByRole('button', named)
      .or(front.getByRole('link', named))
      .or(front.getByRole('option', named))
      .or(front.getByRole('menuitem', named))
      .or(front.getByRole('tab', named))
      .filter({ visible: true })
      .first()
    await pressed.click({ timeout: 20_000 })
    this.did.push(`press ${words}`)
  }

  /** Writes into the field of this label. */
  async writes(label: string | RegExp, text: string): Promise<void> {
    const { page } = this.visitor
    // A dialog may bear the same words as its field.
    const field = (await this.#front())
      .getByLabel(label, { exact: true })
      .and(page.locator('input, textarea'))
      .filter({ visible: true })
      .first()
    await field.fill(text, { timeout: 20_000 })
    this.did.push(`write ${label}`)
  }

  async chooses(label: string, option: string): Promise<void> {
    const field = (await this.#front()).getByLabel(label, { exact: true }).filter({ visible: true }).first()
    await field.selectOption(option, { timeout: 20_000 })
    this.did.push(`choose ${label}`)
  }

  async ticks(label: string | RegExp): Promise<void> {
    const box = (await this.#front()).getByLabel(label, { exact: true }).filter({ visible: true }).first()
    await box.check({ timeout: 20_000 })
    this.did.push(`tick ${label}`)
  }

  /** Waits until the dialog in front has closed. */
  async isBack(): Promise<void> {
    await this.visitor.dialog.waitFor({ state: 'detached', timeout: 20_000 })
  }

  /** How many steps the task took, and how long. */
  tells(task: string): { steps: number; seconds: number } {
    const seconds = Math.round((performance.now() - this.#began) / 100) / 10
    const { length: steps } = this.did
    process.stdout.write(`${task}: ${steps} steps, ${seconds} s (${this.did.join('; ')})\n`)
    return { steps, seconds }
  }

  /** The words on the screen, for whoever looks why a test does not go on. */
  async seen(): Promise<string> {
    const { dialog, page } = this.visitor
    const front = (await dialog.count()) > 0 ? dialog.last() : page.locator('main')
    // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what stands in the document.
    return front.innerText()
  }
}
