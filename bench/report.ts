import { medianOf, type Result } from './contest.ts'

/** Prints the results of contestants as a table in Markdown: medians of their rounds. */
export function showResults(title: string, results: Result[]): void {
  console.log(`\n### ${title}\n`)
  printTable(
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU µs/request', 'server busy'],
    results.map(result => [
      result.name,
      String(Math.round(medianOf(result, 'rate'))),
      medianOf(result, 'p50').toFixed(2),
      medianOf(result, 'p99').toFixed(2),
      String(Math.round(medianOf(result, 'cpu'))),
      `${Math.round(medianOf(result, 'busy') * 100)} %`,
    ]),
  )
}

/** Collects targets and results, to be shown as one table at the end. */
export function targetList() {
  const rows: string[][] = []

  function add(what: string, measured: number, bound: '≥' | '≤', target: number, unit: string): void {
    // Rounded as it is shown: smaller differences were not measured.
    const shown = readable(measured)
    const isReached = bound === '≥' ? Number(shown) >= target : Number(shown) <= target
    rows.push([what, `${shown}${unit}`, `${bound} ${target}${unit}`, isReached ? 'yes' : '**no**'])
  }

  return {
    atLeast: (what: string, measured: number, target: number, unit = ' ×') => add(what, measured, '≥', target, unit),
    atMost: (what: string, measured: number, target: number, unit = ' ×') => add(what, measured, '≤', target, unit),
    skipped: (what: string, why: string) => void rows.push([what, '', '', why]),
    show(): void {
      console.log('\n### Targets\n')
      printTable(['', 'measured', 'target', 'reached'], rows)
    },
  }
}

function readable(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(value >= 10 ? 3 : 2)
}

/** Prints a table in Markdown; all columns but the first are figures. */
export function printTable(head: string[], rows: string[][]): void {
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'))
  for (const cells of [head, rule, ...rows]) console.log(`| ${cells.join(' | ')} |`)
}
