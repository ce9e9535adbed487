import { ActionIcon, Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { common } from '../text/common.ts'
import { Icon } from './icons.tsx'
import { texts } from './texts.ts'
import { announce } from './toast.tsx'

/** Copies a value; `wide` shows its label as a button, else it is the tooltip of an icon. */
export function CopyButton({
  value,
  label,
  wide = false,
}: {
  value: string
  label?: string
  wide?: boolean
}) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const name = label ?? common.copy
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      announce(texts.copied)
    } catch {
      announce(texts.copyRefused)
    }
  }
  const icon = <Icon name={copied ? 'check' : 'copy'} size={14} />
  return wide ? (
    <Button variant="default" size="xs" leftSection={icon} onClick={copy}>
      {name}
    </Button>
  ) : (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={name} title={name} onClick={copy}>
      {icon}
    </ActionIcon>
  )
}

/** A value to be copied exactly: a token, a secret, a DS record. */
export function CopyLine({ value, label }: { value: string; label: string }) {
  return (
    <div className="copy-line">
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </div>
  )
}
