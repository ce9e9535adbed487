import { Dialog } from '../../ui/dialog.tsx'
import { texts } from './texts.ts'

/** How the key beside the space bar is called here. */
export const modKey = (): string => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl')

/** Every key that does something, and where. */
export function Shortcuts({ opened, close }: { opened: boolean; close: () => void }) {
  const mod = modKey()
  const groups: [string, [string[], string][]][] = [
    [
      texts.everywhere,
      [
        [[mod, 'K'], texts.searchAndGo],
        [['/'], texts.searchAndGo],
        [[mod, '.'], texts.requestsOfThisPage],
        [['?'], texts.theseKeys],
        [['Esc'], texts.closeWhatIsOpen],
      ],
    ],
    [
      texts.inTheSearch,
      [
        [['↑', '↓'], texts.chooseAnEntry],
        [['Enter'], texts.goThere],
      ],
    ],
    [
      texts.inTheFiles,
      [
        [['↑', '↓'], texts.chooseAFile],
        [['Shift', '↑', '↓'], texts.chooseSeveral],
        [['Enter'], texts.openIt],
        [[mod, 'S'], texts.saveTheFile],
      ],
    ],
  ]
  return (
    <Dialog title={texts.keyboard} opened={opened} close={close} size="28rem" unsaved={false}>
      {groups.map(([title, keys]) => (
        <section key={title} className="shortcuts">
          <h3>{title}</h3>
          <dl>
            {keys.map(([parts, does]) => (
              <div key={parts.join()}>
                <dt>
                  {parts.map((part) => (
                    <kbd key={part}>{part}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
