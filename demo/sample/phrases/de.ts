import type { Phrases } from '../phrases.ts'

export const de: Phrases = {
  titles: {
    good: [
      '{place}: unbedingt hingehen',
      'Der Höhepunkt unserer Reise',
      'Viel Zeit mitbringen',
      'Wir kommen wieder',
      'Besser als erwartet',
      'Ein rundum schöner Nachmittag',
    ],
    mixed: ['Gut, aber mit Abstrichen', '{place}: schön, aber überlaufen', 'Durchwachsen', 'Kann man sich ansehen'],
    bad: ['Leider enttäuschend', '{place}: nicht unser Tag', 'Zu voll und schlecht organisiert', 'Mehr erwartet'],
  },
  openers: {
    good: [
      'Wir waren {hours} Stunden hier und hätten gut länger bleiben können.',
      'Seit Jahren wollte ich hierher, und es hat sich gelohnt.',
      'Einer der schönsten Ausflüge unseres Urlaubs.',
      'Mein zweiter Besuch, und er gefiel mir noch besser als der erste.',
      'Ein wunderbarer Ort.',
    ],
    mixed: [
      'Vieles ist gelungen, manches könnte besser sein.',
      'Ich kam mit großen Erwartungen und ging mit gemischten Gefühlen.',
      'Ein ordentlicher Besuch, auch wenn nicht alles geklappt hat.',
    ],
    bad: [
      'Leider ist der Besuch nicht gut verlaufen.',
      'Nach allem, was wir gelesen hatten, war das eine Enttäuschung.',
      'Nach nicht einmal einer Stunde sind wir gegangen.',
    ],
  },
  closers: {
    good: [
      'Sehr zu empfehlen.',
      'Auf der nächsten Reise kommen wir wieder.',
      'Mindestens {hours} Stunden einplanen.',
      'Wer nur für eine Sache Zeit hat, sollte hierher gehen.',
    ],
    mixed: [
      'Einmal ansehen reicht.',
      'Außerhalb der Saison ist es vermutlich angenehmer.',
      'Besser unter der Woche hingehen.',
    ],
    bad: [
      'Noch einmal würde ich nicht hingehen.',
      'Den Nachmittag kann man schöner verbringen.',
      'Schade um den schönen Ort.',
    ],
  },
  trips: {
    FAMILY: [
      'Wir waren mit den Kindern da, das jüngste ist {age} Jahre alt.',
      'Die ganze Familie war dabei, auch die Großeltern.',
      'Unser {age}-jähriger Sohn hat den ganzen Heimweg davon erzählt.',
    ],
    COUPLES: ['Wir waren zu zweit an unserem Hochzeitstag hier.', 'Nur wir beide, ohne festen Plan.'],
    FRIENDS: [
      'Wir waren eine Gruppe von Freunden mit sehr verschiedenen Interessen.',
      'Zu viert unter Freunden an einem langen Wochenende.',
    ],
    SOLO: ['Ich war allein unterwegs und konnte mir Zeit lassen.', 'Ich bin allein hingegangen, mit einem Notizbuch.'],
    BUSINESS: ['Ich hatte zwischen zwei Terminen einen freien Nachmittag.', 'Ein kurzer Abstecher nach einer Tagung.'],
  },
  aspects: {
    collection: {
      good: [
        'Die Sammlung ist hervorragend und übersichtlich gehängt.',
        'Allein die Sonderausstellung war den Besuch wert.',
        'In jedem Raum gibt es etwas, vor dem man stehen bleibt.',
        'Die berühmten Werke im Original zu sehen, ist bewegend.',
      ],
      bad: [
        'Mehrere Säle waren geschlossen und die besten Stücke verliehen.',
        'Die Beschriftungen sind winzig und erklären kaum etwas.',
      ],
    },
    building: {
      good: [
        'Die Architektur ist innen wie außen großartig.',
        'Unbedingt nach oben schauen: Decken und Details sind bemerkenswert.',
        'Die Restaurierung ist sehr sorgfältig gemacht.',
      ],
      bad: ['Die halbe Fassade war eingerüstet.', 'Das Gebäude müsste saniert werden, das sieht man.'],
    },
    nature: {
      good: [
        'Bäume und Beete standen in voller Pracht.',
        'Viel Schatten, Bänke und ruhige Wege.',
        'Ein grüner Ort zum Ausruhen und Lesen.',
      ],
      bad: ['Der Rasen war vertrocknet und viele Wege gesperrt.', 'Bei der Hitze gab es kaum Schatten.'],
    },
    animals: {
      good: [
        'Die Tiere wirken gepflegt und haben viel Platz.',
        'Die Fütterung am Mittag war das Beste.',
        'Im Unterwassertunnel haben wir lange gestaunt.',
      ],
      bad: ['Manche Gehege wirken klein und leer.', 'Die meisten Tiere schliefen oder waren nicht zu sehen.'],
    },
    view: {
      good: [
        'Der Blick über die Stadt bei Sonnenuntergang ist unvergesslich.',
        'Von oben sieht man kilometerweit.',
        'Kamera mitnehmen, die Aussicht ist in alle Richtungen herrlich.',
      ],
      bad: ['Die Aussicht war von Netzen und Bauzäunen verdeckt.', 'Bei Dunst sieht man so gut wie nichts.'],
    },
    queue: {
      good: [
        'Nach {few} Minuten waren wir drin.',
        'Mit Onlineticket gab es keine Schlange.',
        'Früh am Morgen hatten wir es fast für uns allein.',
      ],
      bad: [
        'Trotz gebuchter Uhrzeit standen wir {many} Minuten an.',
        'Die Schlange am Eingang war lang und schlecht organisiert.',
      ],
    },
    guide: {
      good: [
        'Unsere Führerin war witzig, geduldig und kannte jede Geschichte.',
        'Der Audioguide ist ausgezeichnet und in vielen Sprachen verfügbar.',
        'Bei der kostenlosen Führung haben wir viel gelernt.',
      ],
      bad: ['Die Führung war gehetzt und kaum zu verstehen.', 'Der Audioguide fiel ständig aus.'],
    },
    family: {
      good: [
        'Die Schatzsuche hat die Kinder die ganze Zeit beschäftigt.',
        'Toll mit Kindern: viel zum Anfassen und Ausprobieren.',
        'Mit dem Kinderwagen kommt man überall durch, und für eine Pause gibt es einen guten Platz.',
      ],
      bad: ['Für kleine Kinder gibt es wenig, unsere haben sich gelangweilt.', 'Mit Kinderwagen schwierig.'],
    },
    romantic: {
      good: [
        'Im Abendlicht ist es ein sehr romantischer Ort.',
        'Perfekt für einen ruhigen Spaziergang Hand in Hand.',
        'Wir saßen dort, bis die Laternen angingen, ein Zauber.',
      ],
      bad: [
        'Wir hofften auf einen romantischen Abend und bekamen Lautsprecher.',
        'Nirgends eine ruhige Ecke für zwei.',
      ],
    },
    rain: {
      good: [
        'Ideal für einen Regentag.',
        'Draußen goss es, und wir haben es gar nicht gemerkt.',
        'Ein guter Zufluchtsort bei schlechtem Wetter, mit gemütlichem Café.',
      ],
      bad: [
        'Bei Regen haben alle dieselbe Idee, dann wird es sehr voll.',
        'Die Garderobe quoll über vor nassen Schirmen.',
      ],
    },
    price: {
      good: [
        'Sehr gutes Preis-Leistungs-Verhältnis.',
        'Das Kombiticket lohnt sich.',
        'An manchen Abenden ist der Eintritt frei, vorher nachsehen.',
      ],
      bad: ['Der Eintritt ist zu teuer für das Gebotene.', 'Alles kostet extra, sogar der Plan.'],
    },
    access: {
      good: [
        'Überall Aufzüge und Rampen, mit Rollstuhl kein Problem.',
        'Stufenlos vom Eingang bis zum letzten Raum.',
        'Meiner gehbehinderten Mutter wurde ungefragt geholfen.',
      ],
      bad: [
        'Der Aufzug war außer Betrieb, und es gibt viele Treppen.',
        'Mit Rollstuhl schwierig: Kopfsteinpflaster und Stufen.',
      ],
    },
    clean: {
      good: [
        'Blitzsauber, auch die Toiletten.',
        'Alles ordentlich und gepflegt.',
        'Man merkt, dass sich hier jemand kümmert.',
      ],
      bad: ['Die Toiletten waren schmutzig.', 'Schon mittags quollen die Mülleimer über.'],
    },
    staff: {
      good: [
        'Das Personal ist freundlich und beantwortet gern Fragen.',
        'Eine Aufsicht zeigte uns Details, die wir übersehen hätten.',
        'Herzlicher Empfang an der Kasse.',
      ],
      bad: ['Das Personal am Eingang war unhöflich.', 'Niemand wusste, welches Ticket wir brauchten.'],
    },
    atmosphere: {
      good: [
        'Ruhig und voller Atmosphäre.',
        'Es herrscht eine ganz besondere Stille.',
        'Lebendig, ohne überfüllt zu sein.',
      ],
      bad: ['Viel zu voll, um irgendetwas zu genießen.', 'Ständiger Lärm von großen Gruppen.'],
    },
    location: {
      good: [
        'Mit der U-Bahn gut zu erreichen und nah an anderen Sehenswürdigkeiten.',
        'Auch das Viertel drumherum lohnt einen Spaziergang.',
        'Nur wenige Gehminuten vom Zentrum.',
      ],
      bad: [
        'Schwer zu finden und weit weg vom Nahverkehr.',
        'Der Fußweg vom Bahnhof führt an einer lauten Straße entlang.',
      ],
    },
  },
  replies: {
    good: [
      'Vielen Dank für die freundlichen Worte, wir freuen uns auf ein Wiedersehen.',
      'Schön, dass Ihnen der Besuch gefallen hat. Bis zum nächsten Mal!',
    ],
    bad: [
      'Danke für die offenen Worte. Es tut uns leid, wir haben sie an das Team weitergegeben.',
      'Wir bedauern, dass Ihr Besuch nicht so war, wie er sein sollte, und arbeiten an den Wartezeiten.',
    ],
  },
  note: '(generierte Beispielbewertung)',
  replyNote: '(generierte Beispielantwort)',
  gap: ' ',
}
