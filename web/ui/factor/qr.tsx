import { correction, generate } from 'lean-qr'

/** A QR code as one path; always dark on light, with its quiet zone, since scanners want it so. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text, { minCorrectionLevel: correction.M })
  const rows: string[] = []
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) rows.push(`M${x} ${y}h1v1h-1z`)
  }
  const edge = code.size + 8
  return (
    <svg
      className="qr"
      viewBox={`-4 -4 ${edge} ${edge}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x="-4" y="-4" width={edge} height={edge} fill="#fff" />
      <path d={rows.join('')} fill="#000" />
    </svg>
  )
}
