import { useState } from 'react'
import { type ApiError, asApiError } from '../../api/errors.ts'
import { join } from '../files/paths.ts'
import { problemOf, tusUpload } from '../files/uploads/tus.ts'

type Going = { done: number; total: number | null; error: ApiError | null }
const AT_REST: Going = { done: 0, total: null, error: null }

/** Uploads one dump into a site, under a name that nothing has there; `there` is told its path. */
export function useSent(domain: string, there: (path: string) => void) {
  const [going, setGoing] = useState<Going>(AT_REST)
  const failed = (error: ApiError) => setGoing({ ...AT_REST, error })
  const begin = async (file: File, folder: string) => {
    const path = join(folder, ownName(file.name))
    setGoing({ ...AT_REST, total: file.size })
    try {
      const upload = await tusUpload(
        { domain, path, file, replaces: false, upload: null },
        {
          reached: (done) => setGoing({ ...AT_REST, done, total: file.size }),
          ended(outcome) {
            if (outcome !== 'done') return void problemOf(outcome).then(failed)
            setGoing(AT_REST)
            there(path)
          },
        },
      )
      upload.start()
    } catch (thrown) {
      failed(asApiError(thrown))
    }
  }
  return { ...going, begin }
}

/** `tienda.sql.gz` as `tienda-lx3k9q.sql.gz`. */
const ownName = (name: string): string => name.replace(/(\.sql)?(\.\w+)?$/i, `-${Date.now().toString(36)}$&`)
