/** Some members, at any depth; a function is given whole. */
type Part<T> = T extends ((...given: never[]) => unknown) | Date | Headers
  ? T
  : T extends readonly (infer One)[]
    ? readonly Part<One>[]
    : T extends object
      ? { [K in keyof T]?: Part<T[K]> | undefined }
      : T

/** What a test gives of something larger: the members have their real types, and nothing else of it is read. */
export const partly = <T extends object>(given: Part<NoInfer<T>>): T => given as T
