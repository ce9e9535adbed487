export default function Panel() {
  return <main>panel</main>
}
