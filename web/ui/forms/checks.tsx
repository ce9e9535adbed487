import { createContext, useContext, useId, useLayoutEffect, useMemo, useRef } from 'react'

/** What is wrong with what was typed, as a sentence that says what to do; null where nothing is. */
export type Check = (value: string) => string | null

type Checks = {
  /** Whether sending was tried: until then nobody is told what is missing. */
  shown: boolean
  report(field: string, problem: string | null): void
}

/** The form that a field's check counts for. */
export const FormChecks = createContext<Checks | null>(null)

/** The checks of a form's fields: nothing is sent that they find fault with. */
export function useFormChecks(shown: boolean): { provided: Checks; pass(): boolean } {
  const problems = useRef(new Map<string, string>())
  const provided = useMemo(
    () => ({
      shown,
      report(field: string, problem: string | null) {
        if (problem === null) problems.current.delete(field)
        else problems.current.set(field, problem)
      },
    }),
    [shown],
  )
  return { provided, pass: () => problems.current.size === 0 }
}

/** The problem to be shown at a field: once sending was tried, and until it is mended. */
export function useCheck(value: string, check: Check | undefined): string | undefined {
  const form = useContext(FormChecks)
  const field = useId()
  const problem = check?.(value) ?? null
  useLayoutEffect(() => {
    form?.report(field, problem)
    return () => form?.report(field, null)
  }, [form, field, problem])
  return form?.shown ? (problem ?? undefined) : undefined
}
