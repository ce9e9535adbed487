import { isOwnName } from '../../../lib/sign-in/own-names.ts'
import type { Check } from './checks.tsx'
import { texts } from './texts.ts'

/*
 * Simple rules: what they refuse the API refuses too, so that nobody waits for an answer to a slip. The API has the
 * exact ones.
 */

const HOST = /^[^\s/@:,;]+\.[^\s/@:,;.]+\.?$/
const E_MAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/
const CLIENT = /^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/i
const SUFFIX = /^[a-z0-9]{1,16}$/

export const required: Check = (value) => (value.trim() === '' ? texts.fillThisIn : null)

export const isHost: Check = (value) => (HOST.test(value.trim()) ? null : texts.typeADomain)

export const isEmail: Check = (value) => (E_MAIL.test(value.trim()) ? null : texts.typeAnEMail)

export const isClientName: Check = (value) =>
  CLIENT.test(value.trim()) && !value.includes('..') ? null : texts.typeAClientName

export const isSuffix: Check = (value) => (SUFFIX.test(value.trim()) ? null : texts.typeASuffix)

export const isHttps: Check = (value) =>
  /^https:\/\/[^\s/]+/i.test(value.trim()) ? null : texts.typeAnHttpsAddress

const isPassword: Check = (value) => ([...value].length >= 12 ? null : texts.typeTwelve)

/** A new password of an account with these names. */
export const isNewPassword =
  (names: (string | null)[]): Check =>
  (value) =>
    isPassword(value) ?? (isOwnName(value, names) ? texts.notYourOwnName : null)

/** A rule that holds only for what was typed. */
export const optional =
  (check: Check): Check =>
  (value) =>
    value.trim() === '' ? null : check(value)
