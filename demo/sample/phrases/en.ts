import type { Phrases } from '../phrases.ts'

export const en: Phrases = {
  titles: {
    good: [
      '{place}: worth every minute',
      'A highlight of our trip',
      'Go early and take your time',
      'Would come back tomorrow',
      'Better than we expected',
      'Do not miss it',
      'A lovely afternoon',
    ],
    mixed: ['Good, with some reservations', '{place}: nice but crowded', 'Half a success', 'Fine for an hour or two'],
    bad: ['Disappointing', '{place}: not our day', 'Too many people, too little care', 'Expected much more'],
  },
  openers: {
    good: [
      'We spent {hours} hours here and could easily have stayed longer.',
      'I had wanted to see {place} for years, and it did not let me down.',
      'One of the best visits of our whole holiday.',
      'This was my second visit and I liked it even more than the first.',
      'What a wonderful place.',
    ],
    mixed: [
      'There is a lot to like here, and a few things that could be better.',
      'I came with high hopes and left in two minds.',
      'A decent visit, though not everything worked out.',
      'We stayed for about {hours} hours, which was enough for us.',
    ],
    bad: [
      'Sadly this visit did not go well.',
      'I really wanted to like {place}, but it was hard work.',
      'After everything we had read, this was a let-down.',
      'We left after less than an hour.',
    ],
  },
  closers: {
    good: [
      'Highly recommended.',
      'We will be back on our next trip.',
      'Leave yourself at least {hours} hours.',
      'If you only have time for one thing, make it this.',
      'A memory we will keep.',
    ],
    mixed: [
      'Go, but lower your expectations a little.',
      'Perhaps a quieter season would help.',
      'Worth seeing once.',
      'On a weekday it may be a different story.',
    ],
    bad: [
      'I would not go again.',
      'There are better ways to spend an afternoon.',
      'Please look into this.',
      'Save your time for something else.',
    ],
  },
  trips: {
    FAMILY: [
      'We came with our children, the youngest {age} years old.',
      'Three generations of the family came along.',
      'We brought our {age}-year-old, who asked questions all the way home.',
    ],
    COUPLES: ['My partner and I came on our anniversary weekend.', 'Just the two of us, without a plan.'],
    FRIENDS: ['A group of old friends, all with different tastes.', 'We were four friends on a long weekend.'],
    SOLO: ['I travelled alone and could take my time.', 'I went by myself with a notebook.'],
    BUSINESS: ['I had a free afternoon between two meetings.', 'Squeezed in after a conference nearby.'],
  },
  aspects: {
    collection: {
      good: [
        'The collection is outstanding and clearly arranged.',
        'The temporary exhibition alone justified the visit.',
        'Every room has something that makes you stop and look.',
        'Seeing the famous works in person was moving.',
      ],
      bad: [
        'Several rooms were closed and the best pieces were on loan.',
        'The labels are tiny and hardly explain what you are looking at.',
        'The exhibition felt thin for such a large building.',
      ],
    },
    building: {
      good: [
        'The architecture is stunning, inside and out.',
        'Look up: the ceilings and the details are remarkable.',
        'The restoration has been done with great care.',
      ],
      bad: ['Half of the facade was behind scaffolding.', 'The building needs repair and it shows.'],
    },
    nature: {
      good: [
        'The trees and flower beds were at their best.',
        'Plenty of shade, benches and quiet paths.',
        'A green place to rest your feet and read a book.',
      ],
      bad: ['The lawns were dry and many paths were closed.', 'There was hardly any shade in the heat.'],
    },
    animals: {
      good: [
        'The animals look well cared for and have room to move.',
        'The feeding at noon was the best part.',
        'We watched the underwater tunnel for ages.',
      ],
      bad: ['Some enclosures looked small and empty.', 'Most of the animals were asleep or out of sight.'],
    },
    view: {
      good: [
        'The view over the city at sunset is unforgettable.',
        'From the top you can see for miles.',
        'Bring a camera, the views are superb in every direction.',
      ],
      bad: ['The view was hidden behind nets and construction fences.', 'On a hazy day you see very little.'],
    },
    queue: {
      good: [
        'We were inside within {few} minutes.',
        'With a ticket booked online there was no queue at all.',
        'Early in the morning we had it almost to ourselves.',
      ],
      bad: [
        'We queued for {many} minutes although we had booked a time slot.',
        'The line at the entrance was long and badly organised.',
      ],
    },
    guide: {
      good: [
        'Our guide was funny, patient and knew every story.',
        'The audio guide is excellent and available in many languages.',
        'The free tour gave us a much better understanding.',
      ],
      bad: ['The guide rushed us through and was hard to hear.', 'The audio guide kept losing its place.'],
    },
    family: {
      good: [
        'The treasure hunt kept the children busy the whole time.',
        'Great with kids: plenty to touch and try.',
        'There is room for prams, and a good place for a snack.',
      ],
      bad: ['There is little here for small children, ours were bored.', 'Not easy with a pram.'],
    },
    romantic: {
      good: [
        'In the evening light it is a very romantic spot.',
        'Perfect for a quiet stroll hand in hand.',
        'We sat there until the lamps came on, it was magical.',
      ],
      bad: ['We hoped for a romantic evening and got loudspeakers instead.', 'No quiet corner anywhere for two.'],
    },
    rain: {
      good: [
        'An ideal plan for a rainy day.',
        'It poured outside and we did not mind in the least.',
        'A good refuge from the weather, with a warm cafe.',
      ],
      bad: [
        'On a rainy day everyone has the same idea and it gets packed.',
        'The cloakroom was full of wet umbrellas.',
      ],
    },
    price: {
      good: [
        'Very good value for what you get.',
        'The combined ticket is a bargain.',
        'Free on some evenings, so check before you go.',
      ],
      bad: ['The ticket is overpriced for what is on offer.', 'Everything costs extra, even the map.'],
    },
    access: {
      good: [
        'Lifts and ramps everywhere, easy with a wheelchair.',
        'Step-free from the entrance to the last room.',
        'Staff helped my mother, who does not walk well, without being asked.',
      ],
      bad: ['The lift was out of order and there are many stairs.', 'Difficult with a wheelchair, cobbles and steps.'],
    },
    clean: {
      good: [
        'Spotlessly clean, toilets included.',
        'Everything was tidy and well kept.',
        'You can tell that it is looked after.',
      ],
      bad: ['The toilets were dirty.', 'Bins were overflowing by midday.'],
    },
    staff: {
      good: [
        'The staff were friendly and happy to answer questions.',
        'A kind attendant pointed out details we would have missed.',
        'Warm welcome at the desk.',
      ],
      bad: ['The staff at the door were rude.', 'Nobody seemed to know which ticket we needed.'],
    },
    atmosphere: {
      good: [
        'Calm and full of atmosphere.',
        'There is a special silence in the place.',
        'Lively without being too crowded.',
      ],
      bad: ['Far too crowded to enjoy anything.', 'Constant noise from big groups.'],
    },
    location: {
      good: [
        'Easy to reach by metro and close to other sights.',
        'The neighbourhood around it is worth a walk too.',
        'A few minutes on foot from the centre.',
      ],
      bad: ['Hard to find and far from public transport.', 'The walk from the station is along a busy road.'],
    },
  },
  replies: {
    good: [
      'Thank you for your kind words, we hope to welcome you again.',
      'We are glad that you enjoyed your visit. See you next time.',
    ],
    bad: [
      'Thank you for your frank words. We are sorry and have passed them on to the team.',
      'We are sorry that your visit was not as it should be and are working on the waiting times.',
    ],
  },
  note: '(generated sample review)',
  replyNote: '(generated sample reply)',
  gap: ' ',
}
