import Database from 'better-sqlite3'

// Another program that holds a file until its standard input ends: "write" keeps others from writing, as a long import
// would; "whole" also keeps them from opening it, as a database browser can.
const [file = '', what = ''] = process.argv.slice(2)
const db = new Database(file, { timeout: 5000 })
if (what === 'whole') db.pragma('locking_mode = EXCLUSIVE')
db.exec('BEGIN EXCLUSIVE')
console.log('locked')
process.stdin.resume().once('end', () => {
  db.exec('COMMIT')
  db.close()
})
