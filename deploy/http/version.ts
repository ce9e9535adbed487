import { version } from '../../package.json'

/** The release, as `/api/conexion` and the OpenAPI document tell it. */
export const VERSION: string = version
